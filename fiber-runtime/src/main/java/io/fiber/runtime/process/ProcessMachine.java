// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.process;

import io.fiber.ProcessState;
import io.fiber.runtime.process.ProcessEnd.Kind;
import io.fiber.spec.EndCause;
import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.JobTermination;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * The state machine of a process. It receives events and the time, and produces effects; it uses no thread, clock or
 * socket.
 *
 * <pre>
 * NEW ─submit─► SUBMITTED ─job runs─► STARTING ─ready─► RUNNING ─exit─► EXITED
 *     SUBMITTED|STARTING ─rejected | start limit | ended early─► FAILED
 *     any live ─terminate─► TERMINATING ─ended─► TERMINATED;   RUNNING ─witness of death─► LOST
 * </pre>
 *
 * Final states stay; any other transition is a fault of Fiber and throws with the history of this process.
 */
public final class ProcessMachine {

    /** How a process ended whose shutdown hooks did not end in time. */
    private static final String HALTED = "killed, because its shutdown hooks had not ended within shutdown-grace";

    private static final int CODE_OF_SIGTERM = 143;
    private static final int CODE_OF_SIGKILL = 137;
    private static final long NEVER = Long.MAX_VALUE;
    /** Longer than any process lives, and small enough that sums of times do not overflow. */
    private static final long GREATEST_GRACE_NS = Long.MAX_VALUE / 4;

    private final Limits limits;
    private final Effects effects;
    private ProcessState state = ProcessState.NEW;
    /** The transitions so far. They are few, because no state occurs twice. */
    private String history = "";

    private long deadlineNs = NEVER;
    private OptionalInt goodbye = OptionalInt.empty();
    private @Nullable String lostReason;
    private @Nullable JobTermination awaitsLastWords;
    private boolean hasRun;
    private boolean ready;
    private boolean halted;
    private int codeOfTheRequest;

    public ProcessMachine(Limits limits, Effects effects) {
        this.limits = limits;
        this.effects = effects;
    }

    public ProcessState state() {
        return state;
    }

    /** Called when the job is being submitted. */
    public void onSubmit() {
        transition(ProcessState.SUBMITTED, "submitted");
    }

    /**
     * Called when the cluster rejects the job for good, or cannot be asked.
     *
     * @param refusal what the backend threw
     */
    public void onRefused(Kind kind, String reason, Optional<BackendException> refusal) {
        if (!state.isFinal()) {
            boolean isCancelled = state == ProcessState.TERMINATING;
            end(new ProcessEnd(
                    isCancelled ? ProcessState.TERMINATED : ProcessState.FAILED,
                    OptionalInt.empty(),
                    isCancelled ? EndCause.CANCELLED : EndCause.START_FAILED,
                    reason,
                    kind,
                    List.of(),
                    refusal));
        }
    }

    /** Called when the job's program has been started. */
    public void onJobRunning(long nowNs) {
        if (state == ProcessState.SUBMITTED) {
            transition(ProcessState.STARTING, "the job runs");
            hasRun = true;
            // Another process may have taken its link before it ran.
            deadlineNs = nowNs + (lostReason == null ? limits.startNs() : limits.exitNs());
        }
    }

    /** Called when the process has connected and says that it is ready. */
    public void onReady(long nowNs) {
        onJobRunning(nowNs);
        if (state == ProcessState.STARTING) {
            ready = true;
            if (awaitsLastWords == null) {
                deadlineNs = NEVER;
            }
            transition(ProcessState.RUNNING, "ready");
        }
    }

    /** Called when the process says that it is ending on its own; from now on, its shutdown hooks run. */
    public void onGoodbye(int exitCode, long nowNs) {
        goodbye = OptionalInt.of(exitCode);
        if (isConnected() && lostReason == null) {
            deadlineNs = nowNs + Math.min(limits.endNs(), GREATEST_GRACE_NS) + limits.exitNs();
        }
        endIfAwaited();
    }

    /** Called when the process halts itself, because its shutdown hooks did not end in time. */
    public void onHalting() {
        halted = true;
    }

    /** Called when the connection is gone. */
    public void onLinkGone(String reason, long nowNs) {
        if (state.isFinal() || lostReason != null) {
            return;
        }
        lostReason = reason;
        endIfAwaited();
        if (isConnected()) {
            deadlineNs = nowNs + limits.exitNs();
        }
    }

    private boolean isConnected() {
        return state == ProcessState.RUNNING || state == ProcessState.STARTING;
    }

    /**
     * Called when the job has ended and what it sent may still be on its way, because the platform's report is faster
     * than a network. A job that ended on its own has sent everything before, so the machine waits for the goodbye, the
     * end of the link, or the limit.
     */
    public void onJobEndedAhead(JobTermination termination, long nowNs) {
        if (isConnected() && goodbye.isEmpty() && lostReason == null && termination.cause() == EndCause.EXITED) {
            awaitsLastWords = termination;
            deadlineNs = nowNs + limits.exitNs();
        } else {
            onJobEnded(termination);
        }
    }

    private void endIfAwaited() {
        JobTermination termination = awaitsLastWords;
        if (termination != null) {
            awaitsLastWords = null;
            onJobEnded(termination);
        }
    }

    /** Called when the job has ended and everything it sent has been read. */
    public void onJobEnded(JobTermination termination) {
        if (state.isFinal()) {
            return;
        }
        if (state == ProcessState.TERMINATING) {
            end(ProcessEnd.of(ProcessState.TERMINATED, codeOf(termination), termination));
        } else {
            boolean hasExited = termination.cause() == EndCause.EXITED && !halted;
            ProcessState last = !ready ? ProcessState.FAILED : hasExited ? ProcessState.EXITED : ProcessState.LOST;
            end(ProcessEnd.of(last, termination.exitCode(), termination));
        }
    }

    /**
     * Returns the exit code of a cancelled job. Some platforms do not know the exit code of a program that they were
     * asked to end.
     */
    private OptionalInt codeOf(JobTermination cancelled) {
        return hasRun && cancelled.exitCode().isEmpty() && goodbye.isEmpty()
                ? OptionalInt.of(codeOfTheRequest)
                : cancelled.exitCode();
    }

    /** Called when the owner wants the process to end. */
    public void onTerminate(long graceNs, long nowNs) {
        endIfAwaited();
        if (state.isFinal()) {
            return;
        }
        if (state == ProcessState.NEW) {
            end(ProcessEnd.of(ProcessState.TERMINATED, EndCause.CANCELLED, "terminated before it was started"));
            return;
        }
        if (state != ProcessState.TERMINATING) {
            transition(ProcessState.TERMINATING, "terminate");
        }
        codeOfTheRequest = graceNs > 0 ? CODE_OF_SIGTERM : CODE_OF_SIGKILL;
        long givenNs = Math.min(graceNs, GREATEST_GRACE_NS);
        deadlineNs = nowNs + givenNs + limits.cancelNs();
        // A process whose hooks do not end names them and halts itself before that.
        effects.cancelJob(givenNs > 0 ? givenNs + limits.exitNs() : 0);
    }

    /** Returns whether the machine waits for a time. */
    public boolean isTimed() {
        return deadlineNs != NEVER;
    }

    /** Called when time has passed. */
    public void onTick(long nowNs) {
        if (deadlineNs == NEVER || nowNs - deadlineNs < 0) {
            return;
        }
        deadlineNs = NEVER;
        if (awaitsLastWords != null) {
            endIfAwaited();
        } else if (state == ProcessState.TERMINATING) {
            end(ProcessEnd.of(
                    ProcessState.TERMINATED, EndCause.CANCELLED, "cancelled; the platform has not confirmed it"));
        } else if (halted) {
            effects.cancelJob(0);
            end(ProcessEnd.of(lastWithoutTheJobsEnd(), EndCause.UNKNOWN, HALTED));
        } else if (goodbye.isPresent()) {
            // It said that it ends. Not every connection or platform reports that, or reports it soon.
            effects.cancelJob(0);
            end(new ProcessEnd(
                    ready ? ProcessState.EXITED : ProcessState.FAILED,
                    goodbye,
                    EndCause.EXITED,
                    "exit code " + goodbye.getAsInt() + ", as the process reported",
                    Kind.ENDED));
        } else if (lostReason == null) {
            effects.cancelJob(0);
            end(new ProcessEnd(
                    ProcessState.FAILED,
                    OptionalInt.empty(),
                    EndCause.START_FAILED,
                    "not ready within " + limits.startNs() / 1_000_000 + " ms",
                    Kind.START_LIMIT));
        } else {
            effects.cancelJob(0);
            end(ProcessEnd.of(lastWithoutTheJobsEnd(), EndCause.UNKNOWN, "connection lost: " + lostReason));
        }
    }

    private ProcessState lastWithoutTheJobsEnd() {
        return ready ? ProcessState.LOST : ProcessState.FAILED;
    }

    private void end(ProcessEnd known) {
        transition(known.state(), known.how());
        deadlineNs = NEVER;
        effects.ended(halted ? halted(known) : known.orExitCode(goodbye));
    }

    /** Returns the end of a process that halted itself, which says more than what the platform saw of it. */
    private static ProcessEnd halted(ProcessEnd known) {
        return new ProcessEnd(
                        known.state(),
                        known.exitCode(),
                        known.state() == ProcessState.TERMINATED ? EndCause.CANCELLED : EndCause.SIGNALLED,
                        HALTED,
                        Kind.HALTED)
                .orExitCode(OptionalInt.of(CODE_OF_SIGKILL));
    }

    private void transition(ProcessState to, String reason) {
        String step = "\n  " + state + " -> " + to + ": " + reason;
        if (!isLegal(state, to)) {
            throw new IllegalStateException(
                    "A process cannot go from " + state + " to " + to + ". So far:" + history + step);
        }
        history += step;
        state = to;
    }

    private static boolean isLegal(ProcessState from, ProcessState to) {
        return switch (from) {
            case NEW -> to == ProcessState.SUBMITTED || to == ProcessState.TERMINATED;
            case SUBMITTED ->
                to == ProcessState.STARTING || to == ProcessState.FAILED || to == ProcessState.TERMINATING;
            case STARTING -> to == ProcessState.RUNNING || to == ProcessState.FAILED || to == ProcessState.TERMINATING;
            case RUNNING -> to == ProcessState.EXITED || to == ProcessState.LOST || to == ProcessState.TERMINATING;
            case TERMINATING -> to == ProcessState.TERMINATED;
            default -> false;
        };
    }

    /** The effects of the machine. */
    public interface Effects {
        /** Asks the platform to end the job, and to kill it after {@code graceNs}. */
        void cancelJob(long graceNs);

        /** Reports the end of the process, once. */
        void ended(ProcessEnd end);
    }

    /**
     * Time limits in nanoseconds.
     *
     * @param startNs how long a running job may take to be ready
     * @param endNs how long a process and its shutdown hooks may take to end after the goodbye
     * @param exitNs how long after the loss of the connection to wait for the platform's report; a process that does
     *     not halt itself is killed this much later
     * @param cancelNs how long after a cancel and its grace to wait for the platform's report
     */
    public record Limits(long startNs, long endNs, long exitNs, long cancelNs) {}
}
