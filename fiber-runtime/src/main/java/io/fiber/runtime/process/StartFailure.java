// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.process;

import io.fiber.ProcessStartException;
import io.fiber.RemoteTaskException;
import io.fiber.spi.backend.BackendException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Why a process did not start. The exceptions that a start throws, and those of a pool whose workers do not start, take
 * their messages from here.
 *
 * @param process the process's name
 * @param reason the reason, as a sentence
 * @param output what the process wrote, as a sentence that begins with a space; empty if no output is expected
 * @param exception what a caller gets that waits for the start
 */
public record StartFailure(String process, String reason, String output, ProcessStartException exception) {

    /**
     * Returns the failure of a process that has run nothing, because its job was rejected or could not be started.
     *
     * @param refusal what the backend threw when the job was submitted
     */
    static StartFailure notStarted(
            String process, String how, List<String> lastLines, Optional<BackendException> refusal) {
        String reason = OutputLines.sentence(how);
        return of(
                process,
                reason,
                OutputLines.ifAny(lastLines),
                "FBR-310",
                "Process '" + process + "' was not started: " + reason,
                lastLines,
                refusal.orElse(null));
    }

    /** Returns the failure of a process that ended before its worker was ready. */
    static StartFailure ended(String process, String how, List<String> lastLines) {
        String reason = OutputLines.sentence(how);
        return of(
                process,
                reason,
                OutputLines.describe(lastLines),
                "FBR-310",
                "Process '" + process + "' ended before it had connected: " + reason,
                lastLines,
                null);
    }

    /** Returns the failure of a process whose initializer threw. */
    static StartFailure threw(String process, Throwable thrown, List<String> lastLines) {
        String reason = OutputLines.sentence("its initializer failed: " + firstLine(thrown));
        return of(
                process,
                reason,
                OutputLines.ifAny(lastLines),
                "FBR-310",
                "Process '" + process + "' did not start: " + reason,
                lastLines,
                thrown);
    }

    /** Returns the failure of a process that runs and is not ready, for example {@code "not ready within 60000 ms"}. */
    static StartFailure timedOut(String process, String how, List<String> lastLines) {
        String reason = OutputLines.sentence(how);
        return of(
                process,
                reason,
                OutputLines.describe(lastLines),
                "FBR-311",
                "Process '" + process + "' runs but was " + reason
                        + " Check that it can reach this machine (firewall, advertised address), and how long"
                        + " its initializer takes, if it has one; or raise start-limit.",
                lastLines,
                null);
    }

    private static StartFailure of(
            String process,
            String reason,
            String output,
            String code,
            String message,
            List<String> lastLines,
            @Nullable Throwable cause) {
        return new StartFailure(
                process, reason, output, new ProcessStartException(code, message + output, lastLines, cause));
    }

    /** Returns the exception that was thrown, as in the first line of its stack trace. */
    private static String firstLine(Throwable thrown) {
        return thrown instanceof RemoteTaskException remote
                ? remote.remoteStackTrace().lines().findFirst().orElse(remote.remoteType())
                : String.valueOf(thrown.getMessage());
    }

    /** Returns the process and the reason, as a sentence. */
    public String summary() {
        return process + ": " + reason;
    }
}
