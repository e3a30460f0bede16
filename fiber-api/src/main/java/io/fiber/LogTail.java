// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import java.util.List;

/** The end of a process as an error message shows it: in a sentence, and the last lines it wrote. */
final class LogTail {

    private LogTail() {}

    static String describe(List<String> lines) {
        return lines.isEmpty() ? " It wrote no output." : ofLines(lines);
    }

    /** Returns the last lines where there are some; a job that was not started has none. */
    static String ofLines(List<String> lines) {
        return lines.isEmpty() ? "" : " Its last lines:\n  | " + String.join("\n  | ", lines);
    }

    /** Returns words with one full stop behind them; a platform's own may have theirs. */
    static String sentence(String words) {
        String trimmed = words.strip();
        return trimmed.endsWith(".") ? trimmed : trimmed + ".";
    }
}
