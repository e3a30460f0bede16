// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.process;

import io.fiber.ProcessState;
import io.fiber.spec.EndCause;
import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.JobTermination;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * How a process ended.
 *
 * @param cause what ended it
 * @param how the end in one line of text, for people to read
 * @param kind what the cause does not say
 * @param lastLines the last lines that the process wrote, oldest first; empty if they are not known
 * @param refusal what the backend threw when the job was submitted
 */
public record ProcessEnd(
        ProcessState state,
        OptionalInt exitCode,
        EndCause cause,
        String how,
        Kind kind,
        List<String> lastLines,
        Optional<BackendException> refusal) {

    public ProcessEnd {
        lastLines = List.copyOf(lastLines);
    }

    /** Creates an end whose last lines are not known. */
    public ProcessEnd(ProcessState state, OptionalInt exitCode, EndCause cause, String how, Kind kind) {
        this(state, exitCode, cause, how, kind, List.of(), Optional.empty());
    }

    /** Returns an end of which no exit code is known. */
    static ProcessEnd of(ProcessState state, EndCause cause, String how) {
        return new ProcessEnd(state, OptionalInt.empty(), cause, how, Kind.ENDED);
    }

    /** Returns the end of a process whose job has ended. */
    static ProcessEnd of(ProcessState state, OptionalInt exitCode, JobTermination job) {
        return new ProcessEnd(state, exitCode, job.cause(), job.describe(), Kind.ENDED);
    }

    /** Returns this end with the last lines that the process wrote. */
    public ProcessEnd withLastLines(List<String> lines) {
        return new ProcessEnd(state, exitCode, cause, how, kind, lines, refusal);
    }

    /** Returns this end with an exit code, unless it has one. */
    ProcessEnd orExitCode(OptionalInt code) {
        return exitCode.isPresent() ? this : new ProcessEnd(state, code, cause, how, kind, lastLines, refusal);
    }

    /** Returns this end of a job that waited until then, with the platform's reason for that. */
    ProcessEnd afterWaitingFor(String reason) {
        return new ProcessEnd(
                state, exitCode, cause, how + " (it was waiting: " + reason + ")", kind, lastLines, refusal);
    }

    /** Returns whether the platform needed the place for something else, or lost the machine. */
    public boolean isTaken() {
        return cause == EndCause.PREEMPTED || cause == EndCause.NODE_LOST;
    }

    /** Returns whether this end of a start says nothing about the next start. */
    public boolean isByChance() {
        return kind == Kind.UNAVAILABLE || cause == EndCause.NO_ROOM || isTaken();
    }

    /**
     * Returns why the process was never ready.
     *
     * @param thrown the initializer's exception, if there was one
     */
    public StartFailure startFailure(String process, Optional<? extends Throwable> thrown) {
        return switch (kind) {
            case START_LIMIT -> StartFailure.timedOut(process, how, lastLines);
            case REJECTED, NOT_SUBMITTED, UNAVAILABLE -> StartFailure.notStarted(process, how, lastLines, refusal);
            case ENDED, HALTED -> {
                if (cause == EndCause.START_FAILED || cause == EndCause.NO_ROOM) {
                    yield StartFailure.notStarted(process, how, lastLines, refusal);
                }
                yield thrown.isPresent()
                        ? StartFailure.threw(process, thrown.get(), lastLines)
                        : StartFailure.ended(process, how, lastLines);
            }
        };
    }

    /** The ways in which a process can end. */
    public enum Kind {
        /** The job ended, the process was lost, or its owner ended it. */
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
        UNAVAILABLE
    }
}
