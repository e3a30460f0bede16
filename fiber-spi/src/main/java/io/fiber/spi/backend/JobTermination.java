// SPDX-License-Identifier: Apache-2.0
package io.fiber.spi.backend;

import static java.util.Objects.requireNonNull;

import io.fiber.spec.EndCause;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * How a job ended.
 *
 * @param state one of the final states
 * @param cause what ended it
 * @param exitCode the program's own exit code, if the platform knows it; 0 to 255. If signal n ended the program, it is
 *     128 + n, as in a shell
 * @param detail the platform's words, for people to read; may begin with a code, and may be empty
 */
public record JobTermination(JobState state, EndCause cause, OptionalInt exitCode, String detail) {

    /** {@code EX_TEMPFAIL} of {@code sysexits.h}: the program has stopped in order and asks to be started again. */
    public static final int TRY_AGAIN = 75;

    /** Exit codes of signals with which platforms and people end programs: SIGHUP, SIGINT, SIGKILL and SIGTERM. */
    private static final Set<Integer> ENDED_FROM_OUTSIDE = Set.of(128 + 1, 128 + 2, 128 + 9, 128 + 15);

    /**
     * Checks that the parts agree.
     *
     * @throws IllegalArgumentException if the state is not final, or the cause contradicts it
     */
    public JobTermination {
        requireNonNull(cause, "cause");
        requireNonNull(exitCode, "exitCode");
        requireNonNull(detail, "detail");
        if (!state.isFinal()) {
            throw new IllegalArgumentException("A job in state " + state + " has not ended.");
        }
        if ((state == JobState.CANCELLED) != (cause == EndCause.CANCELLED)) {
            throw new IllegalArgumentException("State " + state + " does not go with cause " + cause + ".");
        }
        if ((state == JobState.SUCCEEDED) != (cause == EndCause.EXITED && exitCode.orElse(-1) == 0)) {
            throw new IllegalArgumentException("State " + state + " does not go with cause " + cause + " and exit code "
                    + exitCode + "; SUCCEEDED means EXITED with 0.");
        }
    }

    /** Returns the termination of a program that ended on its own with this code. */
    public static JobTermination exited(int exitCode) {
        return new JobTermination(
                exitCode == 0 ? JobState.SUCCEEDED : JobState.FAILED, EndCause.EXITED, OptionalInt.of(exitCode), "");
    }

    /** Returns the termination of a job that its owner cancelled, with no known exit code. */
    public static JobTermination cancelled() {
        return cancelled(OptionalInt.empty());
    }

    /**
     * Returns the termination of a job that its owner cancelled.
     *
     * @param exitCode the exit code of its program, even if a signal ended it. If it is empty for a program that ran, a
     *     session assumes 143 or 137; a program that never ran has none
     */
    public static JobTermination cancelled(OptionalInt exitCode) {
        return new JobTermination(JobState.CANCELLED, EndCause.CANCELLED, exitCode, "");
    }

    /** Returns the termination of a job that the platform or the machine ended. */
    public static JobTermination failed(EndCause cause, OptionalInt exitCode, String detail) {
        return new JobTermination(JobState.FAILED, cause, exitCode, detail);
    }

    /** Returns the termination of a job that the platform no longer knows. */
    public static JobTermination lost(String detail) {
        return new JobTermination(JobState.LOST, EndCause.UNKNOWN, OptionalInt.empty(), detail);
    }

    /**
     * Returns whether the program goes on if it is started again. This is so if the time limit, a preemption, the loss
     * of its node or a signal from outside ended it, or if its exit code is {@link #TRY_AGAIN}. Any other end is the
     * program's own, or would repeat itself.
     */
    public boolean isRestartable() {
        return switch (cause) {
            case TIME_LIMIT, PREEMPTED, NODE_LOST -> true;
            case EXITED -> exitCode.orElse(0) == TRY_AGAIN;
            // Without a code, nothing of it ran: it was cancelled from outside while it waited.
            case SIGNALLED -> exitCode.isPresent() && ENDED_FROM_OUTSIDE.contains(exitCode.getAsInt());
            case OUT_OF_MEMORY, CANCELLED, START_FAILED, NO_ROOM, UNKNOWN -> false;
        };
    }

    /**
     * Returns the code with which the detail begins: for example {@code FBR-163}, which {@code docs/errors.md}
     * explains, or a code of the backend's own. Empty if it has none.
     */
    public Optional<String> code() {
        return MessageCode.of(detail);
    }

    /**
     * Returns one line for people to read: {@code exit code 3}, {@code cancelled}, {@code out of memory (exit code
     * 137): ...}.
     */
    public String describe() {
        String code = exitCode.isPresent() ? "exit code " + exitCode.getAsInt() : "";
        String what = switch (cause) {
            case EXITED -> code;
            default ->
                cause.name().toLowerCase(java.util.Locale.ROOT).replace('_', ' ')
                        + (code.isEmpty() ? "" : " (" + code + ")");
        };
        return what + (what.isEmpty() || detail.isEmpty() ? "" : ": ") + detail;
    }
}
