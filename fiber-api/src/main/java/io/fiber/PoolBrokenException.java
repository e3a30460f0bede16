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
     * Creates an exception. The runtime does this.
     *
     * @param pool the pool's name
     * @param failedStarts how many starts failed in a row
     * @param lastLogLines the last lines that the last failed worker wrote
     * @param cause why the last start failed, or null if the platform gave no reason
     */
    public PoolBrokenException(String pool, int failedStarts, List<String> lastLogLines, @Nullable Throwable cause) {
        this(
                "Pool '" + pool + "' ended: " + failedStarts + " workers in a row failed to start"
                        + last(cause, lastLogLines),
                lastLogLines,
                failedStarts,
                cause);
    }

    private PoolBrokenException(
            String message, List<String> lastLogLines, int failedStarts, @Nullable Throwable cause) {
        super("FBR-403", message, cause);
        this.failedStarts = failedStarts;
        this.lastLogLines = lastLogLines.toArray(new String[0]);
    }

    /**
     * Returns the exception for a pool whose workers the platform rejected for good. The runtime calls this.
     *
     * @param pool the pool's name
     * @param failedStarts how many starts failed in a row
     * @param refusal the start that was rejected
     */
    public static PoolBrokenException refused(String pool, int failedStarts, ProcessStartException refusal) {
        return new PoolBrokenException(
                "Pool '" + pool + "' ended: the platform refused its workers: " + refusal.reason(),
                refusal.lastLogLines(),
                failedStarts,
                refusal);
    }

    private static String last(@Nullable Throwable cause, List<String> lastLogLines) {
        String why = cause instanceof ProcessStartException start ? "; the last one, " + start.summary() : ".";
        if (cause instanceof ProcessStartException start && !start.isStarted()) {
            return why + LogTail.ofLines(lastLogLines);
        }
        return why + LogTail.describe(lastLogLines);
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
