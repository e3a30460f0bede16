// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import java.util.List;

/** The last lines a process wrote, as an error message shows them. */
final class LogTail {

    private LogTail() {}

    static String describe(List<String> lines) {
        return lines.isEmpty() ? " It wrote no output." : " Its last lines:\n  | " + String.join("\n  | ", lines);
    }
}
