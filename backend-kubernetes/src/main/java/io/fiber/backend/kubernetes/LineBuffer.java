// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Puts the pieces of a stream together to lines, and keeps the last lines of several streams. */
final class LineBuffer {

    /** The most lines of a job that are kept. */
    static final int KEPT_LINES = 200;

    static final int LONGEST_LINE_BYTES = 32 * 1024;

    private static final int KEPT_BYTES = 64 * 1024;

    private final ArrayDeque<byte[]> lines = new ArrayDeque<>();
    private int bytes;

    /** One stream of lines. Not thread-safe. */
    final class Stream {
        private final ByteArrayOutputStream line = new ByteArrayOutputStream();
        private final Consumer<byte[]> sink;

        /**
         * Creates a stream.
         *
         * @param sink gets every whole line, with its end
         */
        Stream(Consumer<byte[]> sink) {
            this.sink = sink;
        }

        /** Adds a piece; a line longer than a limit is passed on in parts. */
        void add(byte[] piece) {
            for (byte next : piece) {
                if (next == '\n') {
                    flush();
                } else {
                    line.write(next);
                    if (line.size() == LONGEST_LINE_BYTES) {
                        flush();
                    }
                }
            }
        }

        /** Ends a line that has no end. */
        void end() {
            if (line.size() > 0) {
                flush();
            }
        }

        private void flush() {
            keep(line.toByteArray());
            line.write('\n');
            sink.accept(line.toByteArray());
            line.reset();
        }
    }

    private synchronized void keep(byte[] line) {
        lines.addLast(line);
        bytes += line.length;
        while (lines.size() > KEPT_LINES || (bytes > KEPT_BYTES && lines.size() > 1)) {
            bytes -= lines.removeFirst().length;
        }
    }

    /** Returns at most {@code count} of the last lines, oldest first. */
    synchronized List<String> last(int count) {
        List<String> result = new ArrayList<>();
        int skip = lines.size() - count;
        for (byte[] line : lines) {
            if (skip-- <= 0) {
                result.add(new String(line, StandardCharsets.UTF_8));
            }
        }
        return result;
    }
}
