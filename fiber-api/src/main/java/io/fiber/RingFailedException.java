// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A member of a ring could not be started, its function threw, or its process ended before its function had returned
 * (FBR-460). The other members were ended. What the function threw, or why there is no exit code, is the cause.
 */
public final class RingFailedException extends FiberException {
    private static final long serialVersionUID = 1L;

    private final int rank;
    private final String[] lastLogLines;

    /**
     * Creates an exception. The runtime does this.
     *
     * @param rank of the member that failed first
     * @param what what became of it: a sentence that names ring and rank; it may lack its full stop, as texts of exceptions do
     * @param lastLogLines what it wrote last
     * @param cause what its function threw, for example; null when there is none
     */
    public RingFailedException(int rank, String what, List<String> lastLogLines, @Nullable Throwable cause) {
        super(
                "FBR-460",
                what + (what.endsWith(".") ? "" : ".") + " The other members were ended."
                        + (cause instanceof RemoteTaskException
                                ? LogTail.ofLines(lastLogLines)
                                : LogTail.describe(lastLogLines)),
                cause);
        this.rank = rank;
        this.lastLogLines = lastLogLines.toArray(new String[0]);
    }

    /** Returns the rank of the member that failed first. */
    public int rank() {
        return rank;
    }

    /** Returns what that member wrote last; empty when nothing is known. */
    public List<String> lastLogLines() {
        return List.of(lastLogLines);
    }
}
