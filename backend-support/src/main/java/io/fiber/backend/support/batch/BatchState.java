// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.support.batch;

import static java.util.Objects.requireNonNull;

import io.fiber.backend.support.ExitCodes;
import io.fiber.spi.backend.JobTermination;
import io.fiber.spi.backend.JobTermination.Cause;
import java.time.LocalDateTime;
import java.util.Optional;
import java.util.OptionalInt;

/** Where a job stands, as the batch system says. A job that the system does not know has none. */
public sealed interface BatchState {

    /**
     * It is in the queue.
     *
     * @param reason the system's own words; empty when it gives none
     * @param never what to do about a reason for which it will never run; empty for one that can pass
     */
    record Waiting(String reason, Optional<String> never) implements BatchState {
        /** Checks that both are there. */
        public Waiting {
            requireNonNull(reason, "reason");
            requireNonNull(never, "never");
        }

        /** Creates the state of a job that will run. */
        public Waiting(String reason) {
            this(reason, Optional.empty());
        }
    }

    /** Its start or its end is under way, or it stands still: nothing is concluded. */
    record Changing() implements BatchState {}

    /**
     * Its script runs.
     *
     * @param host where
     * @param until when the system will end it, in local time; empty when it does not say. A job whose end comes earlier than it
     *     was said is told to be leaving
     */
    record Running(String host, Optional<LocalDateTime> until) implements BatchState {
        /** Checks that both are there. */
        public Running {
            requireNonNull(host, "host");
            requireNonNull(until, "until");
        }

        /** Creates the state of a job of which no end is known. */
        public Running(String host) {
            this(host, Optional.empty());
        }

        boolean endsEarlierThan(Running before) {
            return until.isPresent() && before.until.isPresent() && until.get().isBefore(before.until.get());
        }
    }

    /**
     * It has ended.
     *
     * @param termination how, as far as the system knows
     * @param codeOfSignal 128 + n when the system says that signal n ended it: all that is told of a job that was cancelled
     * @param own what the exit code is for that the job's script has left
     */
    record Ended(JobTermination termination, OptionalInt codeOfSignal, OwnCode own) implements BatchState {
        /** Checks that all are there. */
        public Ended {
            requireNonNull(termination, "termination");
            requireNonNull(codeOfSignal, "codeOfSignal");
            requireNonNull(own, "own");
        }

        /** Returns the end of a script with this exit code, 128 + n for signal n. */
        public static Ended withCode(int exitCode) {
            return new Ended(
                    ExitCodes.termination(exitCode),
                    ExitCodes.signal(exitCode).isPresent() ? OptionalInt.of(exitCode) : OptionalInt.empty(),
                    OwnCode.REPLACES);
        }

        /** Returns an end that the system brought about. */
        public static Ended because(Cause cause, String detail) {
            return new Ended(
                    JobTermination.failed(cause, OptionalInt.empty(), detail), OptionalInt.empty(), OwnCode.COMPLETES);
        }

        /** Returns the end with the exit code that the script has left. */
        public JobTermination with(int ownCode) {
            return own == OwnCode.REPLACES
                    ? ExitCodes.termination(ownCode)
                    : JobTermination.failed(termination.cause(), OptionalInt.of(ownCode), termination.detail());
        }
    }

    /** What the exit code is for that the job's script leaves in a file. */
    enum OwnCode {
        /** It says all that the system says, and is waited for. */
        REPLACES,
        /** The system knows the cause; the code goes with it, and is waited for. */
        IS_AWAITED,
        /** The system knows the cause; the code goes with it when it is there already. */
        COMPLETES
    }
}
