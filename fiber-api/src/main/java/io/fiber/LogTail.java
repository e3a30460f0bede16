// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import java.util.List;

/** Formats the last lines of a process's output for an error message. */
final class LogTail {

    private LogTail() {}

    static String describe(List<String> lines) {
        return lines.isEmpty() ? " It wrote no output." : ofLines(lines);
    }

    /** Returns the last lines if there are any; a job that was not started has none. */
    static String ofLines(List<String> lines) {
        return lines.isEmpty() ? "" : " Its last lines:\n  | " + String.join("\n  | ", lines);
    }

    /** Returns the text with exactly one full stop at its end; a platform's text may already have one. */
    static String sentence(String words) {
        String trimmed = words.strip();
        return trimmed.endsWith(".") ? trimmed : trimmed + ".";
    }
}
