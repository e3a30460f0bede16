// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.simulated;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/** The last lines of a job's output. Each complete line is also passed on, with its stream. Thread-safe. */
final class LineLog {

    private static final int LINES = 1_000;

    private final Deque<String> lines = new ArrayDeque<>();
    private final Lines out;
    private final Lines err;

    LineLog(Consumer<String> afterOut, Consumer<String> afterErr) {
        out = new Lines(afterOut);
        err = new Lines(afterErr);
    }

    /** Returns standard output. */
    PrintStream out() {
        return new PrintStream(out, true, StandardCharsets.UTF_8);
    }

    /** Returns standard error. */
    PrintStream err() {
        return new PrintStream(err, true, StandardCharsets.UTF_8);
    }

    /** Completes a line that has no line end. */
    void finish() {
        out.finish();
        err.finish();
    }

    private synchronized void add(String line) {
        if (lines.size() == LINES) {
            lines.removeFirst();
        }
        lines.addLast(line);
    }

    synchronized List<String> last(int count) {
        List<String> all = new ArrayList<>(lines);
        return List.copyOf(all.subList(Math.max(0, all.size() - count), all.size()));
    }

    /** Splits bytes into lines. */
    private final class Lines extends OutputStream {
        private final ByteArrayOutputStream line = new ByteArrayOutputStream();
        private final Consumer<String> next;

        Lines(Consumer<String> next) {
            this.next = next;
        }

        @Override
        public synchronized void write(int octet) {
            if (octet == '\n') {
                end();
            } else {
                line.write(octet);
            }
        }

        synchronized void finish() {
            if (line.size() > 0) {
                end();
            }
        }

        private void end() {
            String whole = line.toString(StandardCharsets.UTF_8);
            line.reset();
            add(whole);
            next.accept(whole);
        }
    }
}
