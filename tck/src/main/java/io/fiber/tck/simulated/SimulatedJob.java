// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.simulated;

import io.fiber.spec.EndCause;
import io.fiber.spi.backend.DetachedJob;
import io.fiber.spi.backend.DetachedJobs;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobEvent;
import io.fiber.spi.backend.JobListener;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.JobState;
import io.fiber.spi.backend.JobTermination;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A job. Its fields that are not volatile belong to the timeline's steps. */
final class SimulatedJob implements Job {

    static final String HOST = "simulated-host";

    private static final int SIGKILL_CODE = 137;
    private static final int END_LIMIT_SECONDS = 30;

    /** The request for the job. */
    record Order(JobSpec spec, String sessionId, String name, JobPlan plan, JobListener listener) {}

    private final Order order;
    private final SimulatedProcess process;
    private final SimulatedPlatform platform;
    private final Timeline timeline;
    private final String id;
    private final Queue<JobEvent> withheld = new ArrayDeque<>();
    private final CountDownLatch over = new CountDownLatch(1);
    private volatile JobState state = JobState.QUEUED;
    private final Instant submitted = Instant.now();
    private volatile Runnable whenLeft = () -> {};
    private boolean isLeft;
    private volatile @Nullable JobTermination termination;
    private boolean started;
    private boolean suspended;
    private boolean isRestarting;
    private boolean ended;
    private boolean askedToEnd;
    private final AtomicInteger restarts = new AtomicInteger();
    /** The end that will be reported, whatever the program reports; null while it is undecided. */
    private @Nullable JobTermination verdict;

    SimulatedJob(Order order, SimulatedProcess process, SimulatedPlatform platform, Timeline timeline) {
        this.order = order;
        this.process = process;
        this.platform = platform;
        this.timeline = timeline;
        this.id = platform.nextId();
    }

    JobSpec spec() {
        return order.spec;
    }

    @Override
    public String name() {
        return order.name;
    }

    @Override
    public String id() {
        return id;
    }

    @Override
    public JobState state() {
        return state;
    }

    void enqueue() {
        platform.add(this);
        timeline.after(platform.startDelay(), this::start);
    }

    /** Starts the job if it still waits and there is room. */
    void startWhenThereIsRoom() {
        timeline.after(Duration.ZERO, this::start);
    }

    private void start() {
        if (ended || started || platform.isFull()) {
            return;
        }
        String failure = platform.takeStartFailure().orElse(null);
        if (failure == null && order.plan instanceof JobPlan.Program) {
            failure = process.whyNotStartable();
        }
        if (failure != null) {
            end(JobTermination.failed(EndCause.START_FAILED, OptionalInt.empty(), failure));
            return;
        }
        started = true;
        tell(new JobEvent.Running(this, HOST), JobState.RUNNING);
        order.spec.timeLimit().ifPresent(limit -> timeline.after(limit, this::exceedTime));
        if (order.plan instanceof JobPlan.Script script) {
            timeline.after(script.runsFor(), () -> end(script.termination()));
        } else if (order.plan instanceof JobPlan.Run run) {
            process.start(run.program(), this::programEnded);
        } else {
            process.start(this::programEnded);
        }
    }

    private void programEnded(int exitCode) {
        timeline.after(Duration.ZERO, () -> {
            JobTermination byItself = JobTermination.exited(exitCode);
            if (isRestarting && verdict == null) {
                isRestarting = false;
                process.startAgain(this::programEnded);
            } else if (isStartedAgainAfter(byItself)) {
                restarts.incrementAndGet();
                process.startAgain(this::programEnded);
            } else {
                end(byItself);
            }
        });
    }

    private boolean isStartedAgainAfter(JobTermination byItself) {
        return isOfARun()
                && restarts.get() < order.spec.restarts()
                && byItself.isRestartable()
                && verdict == null
                && !askedToEnd
                && !ended;
    }

    private void exceedTime() {
        decide(JobTermination.failed(EndCause.TIME_LIMIT, OptionalInt.empty(), "ran too long"));
    }

    /** Kills a running job for this reason, unless there is another one already. */
    private void decide(JobTermination reason) {
        if (ended) {
            return;
        }
        if (verdict == null) {
            verdict = reason;
        }
        killNow();
    }

    private void killNow() {
        if (!started || order.plan instanceof JobPlan.Script) {
            end(JobTermination.cancelled());
        } else if (!ended) {
            process.kill();
        }
    }

    @Override
    public void cancel(Duration grace) {
        timeline.after(Duration.ZERO, () -> {
            if (ended) {
                return;
            }
            if (verdict == null) {
                verdict = JobTermination.cancelled();
            }
            if (grace.isZero() || !started || order.plan instanceof JobPlan.Script) {
                killNow();
            } else {
                process.askToEnd();
                timeline.after(grace, this::killNow);
            }
        });
    }

    void preempt(Duration notice) {
        timeline.after(Duration.ZERO, () -> {
            if (started && !ended) {
                tell(new JobEvent.Preempting(this, "a more urgent job needs the place"), JobState.RUNNING);
            }
        });
        timeline.after(
                notice,
                () -> decide(JobTermination.failed(
                        EndCause.PREEMPTED, OptionalInt.empty(), "a more urgent job took the place")));
    }

    void killFromOutside() {
        timeline.after(
                Duration.ZERO,
                () -> decide(JobTermination.failed(
                        EndCause.SIGNALLED, OptionalInt.of(SIGKILL_CODE), "killed from outside")));
    }

    void loseNode() {
        timeline.after(
                Duration.ZERO,
                () -> decide(JobTermination.failed(EndCause.NODE_LOST, OptionalInt.empty(), HOST + " is gone")));
    }

    private void end(JobTermination byItself) {
        if (ended) {
            return;
        }
        ended = true;
        JobTermination last = verdict != null ? verdict : byItself;
        process.cleanUp();
        termination = last;
        tell(new JobEvent.Ended(this, last), last.state());
        over.countDown();
        whenLeft.run();
    }

    /** Returns whether the job is to be kept without its session. */
    boolean isOfARun() {
        return order.spec.labels().containsKey(DetachedJobs.RUN);
    }

    String sessionId() {
        return order.sessionId;
    }

    Optional<JobTermination> termination() {
        return Optional.ofNullable(termination);
    }

    /** Continues without its session, which receives no event of the job once this has returned. */
    void leave(Runnable atItsEnd) {
        synchronized (this) {
            isLeft = true;
        }
        timeline.after(Duration.ZERO, () -> {
            whenLeft = atItsEnd;
            if (ended) {
                atItsEnd.run();
            }
        });
    }

    DetachedJob asDetached() {
        Map<String, String> labels = order.spec.labels();
        return new DetachedJob(
                labels.getOrDefault(DetachedJobs.RUN, ""),
                Optional.ofNullable(labels.get(DetachedJobs.USER)),
                order.sessionId,
                id,
                order.name,
                submitted,
                restarts.get(),
                termination().map(JobTermination::describe).orElse("runs on " + HOST),
                termination());
    }

    void askToEnd() {
        timeline.after(Duration.ZERO, () -> {
            askedToEnd = true;
            process.askToEnd();
        });
    }

    private void tell(JobEvent event, JobState next) {
        if (platform.isOut() || suspended) {
            withheld.add(event);
            return;
        }
        state = next;
        synchronized (this) {
            if (!isLeft) {
                order.listener.onEvent(event);
            }
        }
    }

    /** Suspends the job: what its program does is not reported until it goes on. */
    void suspend() {
        timeline.after(Duration.ZERO, () -> suspended = true);
    }

    /** Lets the job go on. */
    void resume() {
        timeline.after(Duration.ZERO, () -> suspended = false);
        tellWhatWasWithheld();
    }

    /** Kills the program of a running job and starts it again, without a word to the backend. */
    void restart() {
        timeline.after(Duration.ZERO, () -> {
            if (started && !ended) {
                isRestarting = true;
                process.kill();
            }
        });
    }

    void tellWhatWasWithheld() {
        timeline.after(Duration.ZERO, () -> {
            for (JobEvent event = withheld.poll(); event != null; event = withheld.poll()) {
                if (event instanceof JobEvent.Ended last) {
                    state = last.termination().state();
                } else {
                    state = JobState.RUNNING;
                }
                order.listener.onEvent(event);
            }
        });
    }

    void awaitEnd() {
        try {
            if (!over.await(END_LIMIT_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException(
                        "Job '" + name() + "' did not end within " + END_LIMIT_SECONDS + " s of being killed.");
            }
            process.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public List<String> logs(int lastLines) {
        platform.checkReachable("read the logs of job '" + name() + "'");
        return process.output().last(lastLines);
    }
}
