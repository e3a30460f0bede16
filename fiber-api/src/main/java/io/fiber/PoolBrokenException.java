// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Thrown by a pool that has ended because the platform rejected its workers, or because too many workers in a row
 * failed to start while none was up (FBR-403). All pending and later calls fail with this exception.
 */
public final class PoolBrokenException extends FiberException {
    private static final long serialVersionUID = 1L;

    private final int failedStarts;
    private final String[] lastLogLines;

    /**
     * Creates an exception with code FBR-403.
     *
     * @param message what happened
     * @param failedStarts how many starts failed in a row
     * @param lastLogLines the last lines that the last failed worker wrote
     * @param cause why the last start failed
     */
    public PoolBrokenException(String message, int failedStarts, List<String> lastLogLines, @Nullable Throwable cause) {
        super("FBR-403", message, cause);
        this.failedStarts = failedStarts;
        this.lastLogLines = lastLogLines.toArray(new String[0]);
    }

    /** Returns how many starts failed in a row. */
    public int failedStarts() {
        return failedStarts;
    }

    /** Returns the last lines that the last failed worker wrote; empty if none are known. */
    public List<String> lastLogLines() {
        return List.of(lastLogLines);
    }
}
