// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A process did not start: its job was refused or ended before the worker in it had shaken hands (FBR-310), or the start
 * limit passed (FBR-311).
 */
public final class ProcessStartException extends FiberException {
    private static final long serialVersionUID = 1L;

    private final String[] lastLogLines;

    private ProcessStartException(String code, String message, List<String> lastLogLines, @Nullable Throwable cause) {
        super(code, message + LogTail.describe(lastLogLines), cause);
        this.lastLogLines = lastLogLines.toArray(new String[0]);
    }

    /**
     * Returns FBR-310. The runtime does this.
     *
     * @param process the process's name
     * @param exitDescription how its job ended, for example {@code "exit code 1"}
     * @param lastLogLines what it wrote last
     * @param cause the backend's exception, or null when the job was accepted
     */
    public static ProcessStartException ended(
            String process, String exitDescription, List<String> lastLogLines, @Nullable Throwable cause) {
        return new ProcessStartException(
                "FBR-310",
                "Process '" + process + "' ended before it had connected: " + exitDescription + ".",
                lastLogLines,
                cause);
    }

    /**
     * Returns FBR-311. The runtime does this.
     *
     * @param process the process's name
     * @param limit the start limit, counted from the moment the job ran
     * @param lastLogLines what it wrote last
     */
    public static ProcessStartException timedOut(String process, Duration limit, List<String> lastLogLines) {
        return new ProcessStartException(
                "FBR-311",
                "Process '" + process + "' runs but did not connect within " + limit.toMillis()
                        + " ms. Check that it can reach this machine (firewall, advertised address), or raise the start"
                        + " limit.",
                lastLogLines,
                null);
    }

    /** Returns what the process wrote last; empty when nothing is known. */
    public List<String> lastLogLines() {
        return List.of(lastLogLines);
    }
}
