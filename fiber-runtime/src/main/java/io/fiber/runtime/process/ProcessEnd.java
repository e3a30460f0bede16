// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.process;

import io.fiber.ProcessStartException;
import io.fiber.ProcessState;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * How a process ended.
 *
 * @param how one line for a person
 * @param kind which error a caller that waits for its start gets
 */
public record ProcessEnd(ProcessState state, OptionalInt exitCode, String how, Kind kind) {

    /** Sorts of ends. */
    public enum Kind {
        /** It ended, or was lost, or was ended by its owner. */
        ENDED,
        /** It had begun to end, and was killed because its shutdown hooks did not end. */
        HALTED,
        /** It ran and was not ready in time. */
        START_LIMIT,
        /** The cluster will never take it, nor another one like it. */
        REJECTED,
        /** It could not be handed to the cluster, by a fault of a provider or for want of a link. */
        NOT_SUBMITTED,
        /** The cluster could not be asked; asking again may help. */
        UNAVAILABLE,
        /** Its platform took its place away, or lost the machine. */
        TAKEN,
        /** Its platform took it and could not start it. */
        NOT_STARTED;

        /** Tells whether a program may have run; where none has, no output is expected. */
        public boolean mayHaveRun() {
            return switch (this) {
                case REJECTED, NOT_SUBMITTED, UNAVAILABLE, NOT_STARTED -> false;
                default -> true;
            };
        }

        /** Tells whether a start that ends so says nothing of the next one. */
        public boolean isByChance() {
            return this == UNAVAILABLE || this == TAKEN;
        }

        /**
         * Returns what a caller that waited for the start of a process is told, which was never ready.
         *
         * @param thrown what its initializer threw; null when none did
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
