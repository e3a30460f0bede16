// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli.copy;

import io.fiber.FiberException;
import io.fiber.Sender;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.function.BooleanSupplier;

/** A stream into a pipe, which combines small writes. Waits while the other half is behind. Not thread-safe. */
final class LineOutput extends OutputStream {

    static final int PIECE = 128 * 1024;

    private final Sender<?> line;
    private final BooleanSupplier givenUp;
    private final byte[] piece = new byte[PIECE];
    private int used;
    private boolean ended;

    LineOutput(Sender<?> line) {
        this(line, () -> false);
    }

    /** Creates a stream to a half that may give up, which is checked before each write to the pipe. */
    LineOutput(Sender<?> line, BooleanSupplier givenUp) {
        this.line = line;
        this.givenUp = givenUp;
    }

    @Override
    public void write(int value) throws IOException {
        if (used == PIECE) {
            flush();
        }
        piece[used++] = (byte) value;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        int written = 0;
        while (written < length) {
            if (used == PIECE) {
                flush();
            }
            int count = Math.min(length - written, PIECE - used);
            System.arraycopy(bytes, offset + written, piece, used, count);
            used += count;
            written += count;
        }
    }

    @Override
    public void flush() throws IOException {
        if (used > 0) {
            send(used == PIECE ? piece : Arrays.copyOf(piece, used));
            used = 0;
        }
    }

    /** Ends the stream but not the pipe: messages may follow. */
    @Override
    public void close() throws IOException {
        if (!ended) {
            ended = true;
            flush();
            send(new byte[0]);
        }
    }

    private void send(byte[] bytes) throws LineCut {
        try {
            if (givenUp.getAsBoolean()) {
                throw new LineCut("The other half has given up.");
            }
            line.sendBytes(bytes);
        } catch (FiberException e) {
            throw new LineCut(e);
        }
    }
}
