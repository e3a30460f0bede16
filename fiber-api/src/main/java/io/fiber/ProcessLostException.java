// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import java.util.List;

/**
 * A process ended and its exit code is unknown (FBR-312): its machine is gone, it fell silent for longer than
 * the lease, or the platform forgot its job.
 */
public final class ProcessLostException extends FiberException {
    private static final long serialVersionUID = 1L;

    private final String[] lastLogLines;

    /**
     * Creates an exception. The runtime does this.
     *
     * @param process the process's name
     * @param reason what is known about its end, in words
     * @param lastLogLines what it wrote last
     */
    public ProcessLostException(String process, String reason, List<String> lastLogLines) {
        super(
                "FBR-312",
                "Process '" + process + "' has no exit code: " + LogTail.sentence(reason)
                        + LogTail.describe(lastLogLines));
        this.lastLogLines = lastLogLines.toArray(new String[0]);
    }

    /** Returns what the process wrote last; empty when nothing is known. */
    public List<String> lastLogLines() {
        return List.of(lastLogLines);
    }
}
