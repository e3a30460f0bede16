// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if a member of a ring could not be started, its function threw, or its process ended before the function had
 * returned (FBR-460). The other members were ended. The cause is what the function threw, or why there is no exit code.
 */
public final class RingFailedException extends FiberException {
    private static final long serialVersionUID = 1L;

    private final int rank;
    private final String[] lastLogLines;

    /**
     * Creates an exception with code FBR-460.
     *
     * @param message what happened
     * @param rank rank of the member that failed first
     * @param lastLogLines the last lines that it wrote
     * @param cause for example the exception of its function; null if there is none
     */
    public RingFailedException(String message, int rank, List<String> lastLogLines, @Nullable Throwable cause) {
        super("FBR-460", message, cause);
        this.rank = rank;
        this.lastLogLines = lastLogLines.toArray(new String[0]);
    }

    /** Returns the rank of the member that failed first. */
    public int rank() {
        return rank;
    }

    /** Returns the last lines that this member wrote; empty if none are known. */
    public List<String> lastLogLines() {
        return List.of(lastLogLines);
    }
}
