// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.process;

import java.util.ArrayDeque;

/** The last transitions of a machine, for the text of an error. Belongs to one thread. */
final class TransitionHistory {

    private static final int LENGTH = 32;

    private final ArrayDeque<String> lines = new ArrayDeque<>();

    void add(String line) {
        if (lines.size() == LENGTH) {
            lines.poll();
        }
        lines.add(line);
    }

    @Override
    public String toString() {
        return String.join("\n  ", lines);
    }
}
