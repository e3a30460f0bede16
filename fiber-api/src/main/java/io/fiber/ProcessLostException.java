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
     * Creates an exception with code FBR-312.
     *
     * @param message what happened
     * @param lastLogLines the last lines that the process wrote
     */
    public ProcessLostException(String message, List<String> lastLogLines) {
        super("FBR-312", message);
        this.lastLogLines = lastLogLines.toArray(new String[0]);
    }

    /** Returns the last lines that the process wrote; empty if none are known. */
    public List<String> lastLogLines() {
        return List.of(lastLogLines);
    }
}
