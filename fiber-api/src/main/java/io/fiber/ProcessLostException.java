// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import java.util.List;

/**
 * Thrown if a process has ended and its exit code is unknown (FBR-312). Its machine is gone, it was silent for longer
 * than the lease, or the platform has forgotten its job.
 */
public final class ProcessLostException extends FiberException {
    private static final long serialVersionUID = 1L;

    private final String[] lastLogLines;

    /**
     * Creates an exception. The runtime does this.
     *
     * @param process the process's name
     * @param reason what is known about its end, as a sentence
     * @param lastLogLines the last lines that it wrote
     */
    public ProcessLostException(String process, String reason, List<String> lastLogLines) {
        super(
                "FBR-312",
                "Process '" + process + "' has no exit code: " + LogTail.sentence(reason)
                        + LogTail.describe(lastLogLines));
        this.lastLogLines = lastLogLines.toArray(new String[0]);
    }

    /** Returns the last lines that the process wrote; empty if none are known. */
    public List<String> lastLogLines() {
        return List.of(lastLogLines);
    }
}
