// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.process;

import java.util.List;

/** Formats the last lines of a process's output for an error message. */
public final class OutputLines {

    private OutputLines() {}

    /** Returns the lines as a sentence that begins with a space, or that there are none. */
    public static String describe(List<String> lines) {
        return lines.isEmpty() ? " It wrote no output." : ifAny(lines);
    }

    /** Returns the lines as a sentence that begins with a space; empty if there are none. */
    public static String ifAny(List<String> lines) {
        return lines.isEmpty() ? "" : " Its last lines:\n  | " + String.join("\n  | ", lines);
    }

    /** Returns the text with exactly one full stop at its end; a platform's text may already have one. */
    public static String sentence(String words) {
        String trimmed = words.strip();
        return trimmed.endsWith(".") ? trimmed : trimmed + ".";
    }
}
