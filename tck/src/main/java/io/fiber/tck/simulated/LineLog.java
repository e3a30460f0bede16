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

/** The last lines of a job's output, each also handed on as it is complete. Thread-safe. */
final class LineLog {

    private static final int LINES = 1_000;

    private final Deque<String> lines = new ArrayDeque<>();
    private final Consumer<String> next;

    LineLog(Consumer<String> next) {
        this.next = next;
    }

    /** Returns a stream whose lines go here. */
    PrintStream stream() {
        return new PrintStream(new Lines(), true, StandardCharsets.UTF_8);
    }

    private synchronized void add(String line) {
        if (lines.size() == LINES) {
            lines.removeFirst();
        }
        lines.addLast(line);
        next.accept(line);
    }

    synchronized List<String> last(int count) {
        List<String> all = new ArrayList<>(lines);
        return List.copyOf(all.subList(Math.max(0, all.size() - count), all.size()));
    }

    /** Cuts bytes into lines. */
    private final class Lines extends OutputStream {
        private final ByteArrayOutputStream line = new ByteArrayOutputStream();

        @Override
        public synchronized void write(int octet) {
            if (octet == '\n') {
                add(line.toString(StandardCharsets.UTF_8));
                line.reset();
            } else {
                line.write(octet);
            }
        }
    }
}
