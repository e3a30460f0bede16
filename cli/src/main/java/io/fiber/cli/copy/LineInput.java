// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli.copy;

import io.fiber.FiberException;
import io.fiber.Receiver;
import java.io.IOException;
import java.io.InputStream;

/**
 * The stream that {@link LineOutput} writes. It ends only by a failure, because the reader knows when it has
 * everything. Not thread-safe.
 */
final class LineInput extends InputStream {

    private final Receiver<?> line;
    private byte[] piece = new byte[0];
    private int read;
    private boolean ended;

    LineInput(Receiver<?> line) {
        this.line = line;
    }

    @Override
    public int read() throws IOException {
        fill();
        return piece[read++] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        fill();
        int count = Math.min(length, piece.length - read);
        System.arraycopy(piece, read, bytes, offset, count);
        read += count;
        return count;
    }

    /** Reads up to the end that {@link LineOutput#close} has marked. */
    void drain() throws IOException {
        while (!ended) {
            receive();
        }
    }

    private void fill() throws LineCut {
        if (read == piece.length) {
            if (!ended) {
                receive();
            }
            if (ended) {
                throw new LineCut("The other half has ended its stream.");
            }
        }
    }

    private void receive() throws LineCut {
        try {
            piece = line.receiveBytes();
            read = 0;
            ended = piece.length == 0;
        } catch (FiberException e) {
            throw new LineCut(e);
        }
    }
}
