// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.support.batch;

import static java.util.Objects.requireNonNull;

import io.fiber.backend.support.ExitCodes;
import io.fiber.spec.EndCause;
import io.fiber.spi.backend.JobTermination;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.Optional;
import java.util.OptionalInt;

/** The state of a job, as the batch system reports it. A job that the system does not know has none. */
public sealed interface BatchState {

    /**
     * The job is in the queue.
     *
     * @param reason the system's own words; empty if it gives none
     * @param never what to do about a reason for which it will never run; empty if the reason can pass
     */
    record Waiting(String reason, Optional<String> never) implements BatchState {
        /** Checks that no value is null. */
        public Waiting {
            requireNonNull(reason, "reason");
            requireNonNull(never, "never");
        }

        /** Creates the state of a job that has not started yet. */
        public Waiting(String reason) {
            this(reason, Optional.empty());
        }
    }

    /** The job is starting, ending or suspended: nothing is concluded. */
    record Changing() implements BatchState {}

    /**
     * The system does not list the job any more, and its records may say later how it ended. {@link Scheduler#states}
     * leaves out a job of which no more can be learnt.
     *
     * @param records how long after an end the records may be without it
     */
    record Missing(Duration records) implements BatchState {
        /** Checks that the value is not null. */
        public Missing {
            requireNonNull(records, "records");
        }
    }

    /**
     * The job's script runs.
     *
     * @param host where it runs
     * @param until when the system will end it, in local time; empty if unknown. If this time becomes earlier, the job
     *     is reported to be leaving
     */
    record Running(String host, Optional<LocalDateTime> until) implements BatchState {
        /** Checks that no value is null. */
        public Running {
            requireNonNull(host, "host");
            requireNonNull(until, "until");
        }

        /** Creates the state of a job whose end is unknown. */
        public Running(String host) {
            this(host, Optional.empty());
        }

        boolean endsEarlierThan(Running before) {
            return until.isPresent() && before.until.isPresent() && until.get().isBefore(before.until.get());
        }
    }

    /**
     * The job has ended.
     *
     * @param termination how it ended, as far as the system knows
     * @param codeOfSignal 128 + n if the system says that signal n ended it; for a cancelled job, this is all that is
     *     reported
     * @param own how to use the exit code that the job's script has left
     * @param unbegun how the job ended if its script has reported nothing
     */
    record Ended(JobTermination termination, OptionalInt codeOfSignal, OwnCode own, JobTermination unbegun)
            implements BatchState {
        /** Checks that no value is null. */
        public Ended {
            requireNonNull(termination, "termination");
            requireNonNull(codeOfSignal, "codeOfSignal");
            requireNonNull(own, "own");
            requireNonNull(unbegun, "unbegun");
        }

        /** Creates the end of a job for which it does not matter whether its script has reported something. */
        public Ended(JobTermination termination, OptionalInt codeOfSignal, OwnCode own) {
            this(termination, codeOfSignal, own, termination);
        }

        /** Returns the end of a script with this exit code, 128 + n for signal n. */
        public static Ended withCode(int exitCode) {
            return new Ended(
                    ExitCodes.termination(exitCode),
                    ExitCodes.signal(exitCode).isPresent() ? OptionalInt.of(exitCode) : OptionalInt.empty(),
                    OwnCode.REPLACES);
        }

        /** Returns an end that the system caused. */
        public static Ended because(EndCause cause, String detail) {
            return new Ended(
                    JobTermination.failed(cause, OptionalInt.empty(), detail), OptionalInt.empty(), OwnCode.COMPLETES);
        }

        /** Returns the termination with the exit code that the script has left. */
        public JobTermination with(int ownCode) {
            return own == OwnCode.REPLACES
                    ? ExitCodes.termination(ownCode)
                    : JobTermination.failed(termination.cause(), OptionalInt.of(ownCode), termination.detail());
        }
    }

    /** How to use the exit code that the job's script leaves in a file. */
    enum OwnCode {
        /** It says everything that the system says; wait for it. */
        REPLACES,
        /** The system knows the cause; wait for the code and add it. */
        IS_AWAITED,
        /** The system knows the cause; add the code if it is there already. */
        COMPLETES
    }
}
