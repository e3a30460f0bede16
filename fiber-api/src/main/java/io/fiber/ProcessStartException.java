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
    private final String summary;
    private final String reason;
    private final boolean started;

    /** The parts of the message; {@code reason} says why, and {@code started} whether the output may explain it. */
    private record Words(String code, String message, String process, String reason, boolean started) {
        String summary() {
            return process + ": " + reason;
        }
    }

    private ProcessStartException(Words words, List<String> lastLogLines, @Nullable Throwable cause) {
        super(words.code(), words.message() + output(words.started(), lastLogLines), cause);
        this.lastLogLines = lastLogLines.toArray(new String[0]);
        this.summary = words.summary();
        this.reason = words.reason();
        this.started = words.started();
    }

    /**
     * Returns an exception with code FBR-310. The runtime calls this.
     *
     * @param process the process's name
     * @param exitDescription how its job ended, for example {@code "exit code 1"}
     * @param lastLogLines the last lines that it wrote
     * @param cause the exception of its initializer, or null if none is known
     */
    public static ProcessStartException ended(
            String process, String exitDescription, List<String> lastLogLines, @Nullable Throwable cause) {
        String how = LogTail.sentence(exitDescription);
        if (cause != null) {
            String threw = LogTail.sentence("its initializer failed: " + thrown(cause));
            return new ProcessStartException(
                    new Words("FBR-310", "Process '" + process + "' did not start: " + threw, process, threw, false),
                    lastLogLines,
                    cause);
        }
        return new ProcessStartException(
                new Words(
                        "FBR-310",
                        "Process '" + process + "' ended before it had connected: " + how,
                        process,
                        how,
                        true),
                lastLogLines,
                null);
    }

    /** Returns the exception that was thrown, as in the first line of its stack trace. */
    private static String thrown(Throwable cause) {
        return cause instanceof RemoteTaskException remote
                ? remote.remoteStackTrace().lines().findFirst().orElse(remote.remoteType())
                : String.valueOf(cause.getMessage());
    }

    /**
     * Returns an exception with code FBR-310 for a process that has run nothing, because its job was rejected or could
     * not be started. The runtime calls this.
     *
     * @param process the process's name
     * @param reason the platform's words
     * @param lastLogLines what it wrote nevertheless, usually nothing
     */
    public static ProcessStartException notStarted(String process, String reason, List<String> lastLogLines) {
        String why = LogTail.sentence(reason);
        return new ProcessStartException(
                new Words("FBR-310", "Process '" + process + "' was not started: " + why, process, why, false),
                lastLogLines,
                null);
    }

    /**
     * Returns an exception with code FBR-311. The runtime calls this.
     *
     * @param process the process's name
     * @param how what was missing and the limit, for example {@code "not ready within 60000 ms"}
     * @param lastLogLines the last lines that it wrote
     */
    public static ProcessStartException timedOut(String process, String how, List<String> lastLogLines) {
        String silence = LogTail.sentence(how);
        return new ProcessStartException(
                new Words(
                        "FBR-311",
                        "Process '" + process + "' runs but was " + silence
                                + " Check that it can reach this machine (firewall, advertised address), and how long"
                                + " its initializer takes, if it has one; or raise start-limit.",
                        process,
                        silence,
                        true),
                lastLogLines,
                null);
    }

    /** Returns the process and the reason, as a sentence. */
    String summary() {
        return summary;
    }

    /** Returns the reason, as a sentence. */
    String reason() {
        return reason;
    }

    /** Returns the output as a sentence that begins with a space; empty if no output is expected. */
    String output() {
        return output(started, lastLogLines());
    }

    private static String output(boolean started, List<String> lines) {
        return started ? LogTail.describe(lines) : LogTail.ofLines(lines);
    }

    /** Returns whether the output may explain the failure. */
    boolean isStarted() {
        return started;
    }

    /** Returns the last lines that the process wrote; empty if none are known. */
    public List<String> lastLogLines() {
        return List.of(lastLogLines);
    }
}
