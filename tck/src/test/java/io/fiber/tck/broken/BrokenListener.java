// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.broken;

import io.fiber.spec.EndCause;
import io.fiber.spi.backend.JobEvent;
import io.fiber.spi.backend.JobListener;
import io.fiber.spi.backend.JobState;
import io.fiber.spi.backend.JobTermination;
import java.util.OptionalInt;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.NullUnmarked;

/** Tells the events of simulated jobs with one bug. */
@NullUnmarked
record BrokenListener(JobListener kit, BrokenBackend backend, BackendBug bug) implements JobListener {

    private static final ThreadLocal<Boolean> TELLING = ThreadLocal.withInitial(() -> false);

    /** Tells whether this thread is telling an event. */
    static boolean isTelling() {
        return TELLING.get();
    }

    @Override
    public void onEvent(JobEvent event) {
        if (bug == BackendBug.LISTENER_CALLED_UNDER_A_LOCK) {
            backend.locked(() -> kit.onEvent(event));
            return;
        }
        backend.saw(event);
        TELLING.set(true);
        try {
            tell(event);
        } finally {
            TELLING.set(false);
        }
    }

    private void tell(JobEvent event) {
        if (event instanceof JobEvent.Running) {
            tellStart(event);
        } else if (event instanceof JobEvent.Ended ended) {
            tellEnd(new JobEvent.Ended(
                    ended.job(),
                    backend.isTimedOut(ended.job())
                            ? JobTermination.failed(EndCause.TIME_LIMIT, OptionalInt.empty(), "ran too long")
                            : change(ended.termination())));
        } else if (bug != BackendBug.PREEMPTION_NOT_TOLD) {
            kit.onEvent(event);
        }
    }

    private void tellStart(JobEvent event) {
        switch (bug) {
            case START_NOT_TOLD -> {}
            case HOST_OF_THE_SUBMITTER -> kit.onEvent(new JobEvent.Running(event.job(), "submitter"));
            case CANCEL_INSIDE_EVENT_LOST ->
                kit.onEvent(new JobEvent.Running(new BrokenJob(event.job(), backend, bug, kit), "simulated-host"));
            case EVENTS_OVERLAP -> tellFromAnotherThread(event);
            case WAITING_AFTER_RUNNING -> {
                kit.onEvent(event);
                kit.onEvent(new JobEvent.Waiting(event.job(), "Resources"));
            }
            case RUNNING_TWICE -> {
                kit.onEvent(event);
                kit.onEvent(event);
            }
            case EVENT_IS_NULL -> {
                kit.onEvent(null);
                kit.onEvent(event);
            }
            default -> kit.onEvent(event);
        }
    }

    /** Goes on when the other thread has told the event, or lingers in telling it. */
    private void tellFromAnotherThread(JobEvent event) {
        Thread teller = new Thread(() -> kit.onEvent(event), "teller");
        teller.start();
        while (teller.getState() != Thread.State.TIMED_WAITING && teller.getState() != Thread.State.TERMINATED) {
            LockSupport.parkNanos(100_000);
        }
    }

    private void tellEnd(JobEvent event) {
        if (bug == BackendBug.TOLD_AFTER_CLOSE && backend.isClosing()) {
            backend.tellLate(() -> kit.onEvent(event));
        } else if (bug == BackendBug.KILLED_IS_NOT_TOLD && isKilled(event)) {
            // As if the node could not say it.
            return;
        } else if (bug != BackendBug.END_NOT_TOLD && !backend.isForgotten(event.job())) {
            kit.onEvent(event);
        }
        if (bug == BackendBug.ENDED_TWICE) {
            kit.onEvent(event);
        }
    }

    private static boolean isKilled(JobEvent event) {
        return event instanceof JobEvent.Ended ended && ended.termination().cause() == EndCause.SIGNALLED;
    }

    private JobTermination change(JobTermination end) {
        JobTermination failed = JobTermination.failed(EndCause.UNKNOWN, OptionalInt.empty(), "nobody knows");
        return switch (bug) {
            case MISSING_PROGRAM_SUCCEEDS -> end.cause() == EndCause.START_FAILED ? JobTermination.exited(0) : end;
            case CANCEL_SAYS_FAILED -> end.state() == JobState.CANCELLED ? failed : end;
            case ZERO_IS_FAILURE -> end.state() == JobState.SUCCEEDED ? failed : end;
            case CODE_IS_LOST -> end.cause() == EndCause.EXITED && end.state() == JobState.FAILED ? failed : end;
            case SIGNALS_ARE_CODES ->
                end.cause() == EndCause.SIGNALLED
                        ? JobTermination.failed(end.cause(), OptionalInt.of(9), end.detail())
                        : end;
            case CODES_HAVE_SEVEN_BITS ->
                end.cause() == EndCause.EXITED
                        ? JobTermination.exited(end.exitCode().orElseThrow() & 0x7f)
                        : end;
            case KILLED_IS_LOST -> end.cause() == EndCause.SIGNALLED ? JobTermination.lost("gone") : end;
            default -> end;
        };
    }
}
