// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.process;

import io.fiber.ProcessStartException;
import io.fiber.ProcessState;
import io.fiber.spi.backend.JobTermination.Cause;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * How a process ended.
 *
 * @param cause what ended it
 * @param how the end in one line of text
 * @param kind determines the error for a caller that waits for the start
 */
public record ProcessEnd(ProcessState state, OptionalInt exitCode, Cause cause, String how, Kind kind) {

    /** Returns this end of a job that waited until then, with the platform's reason for that. */
    ProcessEnd afterWaitingFor(String reason) {
        return new ProcessEnd(state, exitCode, cause, how + " (it was waiting: " + reason + ")", kind);
    }

    /** The ways in which a process can end. */
    public enum Kind {
        /** The process ended, was lost, or was ended by its owner. */
        ENDED,
        /** The process was ending, and was killed because its shutdown hooks did not end. */
        HALTED,
        /** The process ran, but was not ready in time. */
        START_LIMIT,
        /** The cluster will never accept this job, nor another one like it. */
        REJECTED,
        /** The job could not be submitted, because a provider failed or there was no link. */
        NOT_SUBMITTED,
        /** The cluster did not answer; asking again may help. */
        UNAVAILABLE,
        /** The platform needed the place for something else, or lost the machine. */
        TAKEN,
        /** The platform accepted the job but could not start it. */
        NOT_STARTED;

        /** Returns whether a program may have run. Otherwise, no output is expected. */
        public boolean mayHaveRun() {
            return switch (this) {
                case REJECTED, NOT_SUBMITTED, UNAVAILABLE, NOT_STARTED -> false;
                default -> true;
            };
        }

        /** Returns whether this end of a start says nothing about the next start. */
        public boolean isByChance() {
            return this == UNAVAILABLE || this == TAKEN;
        }

        /**
         * Returns the exception for a caller that waits for the start of a process that was never ready.
         *
         * @param thrown the initializer's exception; null if there was none
         */
        public ProcessStartException startFailure(
                String process, String how, List<String> lastLines, @Nullable Throwable thrown) {
            if (this == START_LIMIT) {
                return ProcessStartException.timedOut(process, how, lastLines);
            }
            return mayHaveRun()
                    ? ProcessStartException.ended(process, how, lastLines, thrown)
                    : ProcessStartException.notStarted(process, how, lastLines);
        }
    }
}
