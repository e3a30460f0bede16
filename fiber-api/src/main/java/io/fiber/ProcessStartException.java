// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if a process did not start. Either its job was rejected or ended before the worker in it had connected
 * (FBR-310), or the start limit passed (FBR-311).
 */
public final class ProcessStartException extends FiberException {
    private static final long serialVersionUID = 1L;

    private final String[] lastLogLines;

    /**
     * Creates an exception.
     *
     * @param code {@code FBR-310} or {@code FBR-311}
     * @param message what happened
     * @param lastLogLines the last lines that the process wrote
     * @param cause the exception of its initializer, or null if none is known
     */
    public ProcessStartException(String code, String message, List<String> lastLogLines, @Nullable Throwable cause) {
        super(code, message, cause);
        this.lastLogLines = lastLogLines.toArray(new String[0]);
    }

    /** Returns the last lines that the process wrote; empty if none are known. */
    public List<String> lastLogLines() {
        return List.of(lastLogLines);
    }
}
