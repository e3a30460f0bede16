// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.support;

import static java.util.Objects.requireNonNull;

import java.io.ByteArrayOutputStream;
import java.util.function.Consumer;

/** Splits a stream of bytes into whole lines. Not thread-safe. */
public final class LineStream {

    /** A longer line is passed on in parts of this length, each as a line. */
    public static final int LONGEST_LINE_BYTES = 32 * 1024;

    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private final Consumer<byte[]> sink;

    /**
     * Creates a stream.
     *
     * @param sink receives every whole line, with its line end
     */
    public LineStream(Consumer<byte[]> sink) {
        this.sink = requireNonNull(sink, "sink");
    }

    /** Adds bytes. */
    public void add(byte[] piece) {
        add(piece, 0, piece.length);
    }

    /** Adds part of an array, which the caller may change afterwards. */
    public void add(byte[] bytes, int from, int length) {
        int begin = from;
        int end = from + length;
        while (begin < end) {
            int most = Math.min(end, begin + LONGEST_LINE_BYTES - line.size());
            int next = begin;
            while (next < most && bytes[next] != '\n') {
                next++;
            }
            line.write(bytes, begin, next - begin);
            if (next < most) {
                flush();
                next++;
            } else if (line.size() == LONGEST_LINE_BYTES) {
                flush();
            }
            begin = next;
        }
    }

    /** Passes on a last line without a line end. */
    public void end() {
        if (line.size() > 0) {
            flush();
        }
    }

    private void flush() {
        line.write('\n');
        byte[] whole = line.toByteArray();
        line.reset();
        sink.accept(whole);
    }
}
