// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool.scheduling;

import java.util.ArrayDeque;

/** The last lines of what has happened. */
final class Story {

    private static final int LINES = 4_000;

    private final ArrayDeque<String> lines = new ArrayDeque<>();

    void add(String line) {
        if (lines.size() == LINES) {
            lines.remove();
        }
        lines.add(line);
    }

    @Override
    public String toString() {
        return String.join("\n", lines);
    }
}
