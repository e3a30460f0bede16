// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.support.batch;

import io.fiber.backend.support.BackendThreads;
import io.fiber.backend.support.batch.Scheduler.Ending;
import io.fiber.spec.EndCause;
import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.JobListener;
import io.fiber.spi.backend.JobState;
import io.fiber.spi.backend.JobTermination;
import io.fiber.spi.backend.Submission;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Watches all jobs, and ends them. Its one thread checks the shared folder for reports: every few milliseconds at
 * first, and once a second in the long run. Two more threads wait for the system's programs. One of these asks about
 * all jobs at once, less often the longer nothing changes. If the system does not answer, nothing is concluded.
 */
final class Watch implements AutoCloseable {

    private static final long SHORTEST_LOOK_NS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long LONGEST_LOOK_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long QUIET_PART = 20;
    private static final long SOON_NS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long AGAIN_NS = TimeUnit.SECONDS.toNanos(1);
    /** Gives the thread of a killed program time to remove its files. */
    private static final long LAST_COMMANDS_NS = TimeUnit.SECONDS.toNanos(3);

    private static final int LONGEST_INTERVALS = 10;
    private static final double SLOWING = 1.5;

    private final Scheduler scheduler;
    private final BatchName name;
    private final SharedFolder folder;
    private final long intervalNs;
    private final ScheduledThreadPoolExecutor agent;
    private final ScheduledThreadPoolExecutor askers;

    private final Map<String, BatchJob> jobs = new LinkedHashMap<>();
    private final Set<String> asked = new TreeSet<>();
    /** Requests to end jobs that the system has not answered. */
    private final AtomicInteger unanswered = new AtomicInteger();

    private boolean looking;
    private boolean asking;
    private boolean isLast;
    private boolean isFaultTold;
    private long changedNs = System.nanoTime();
    private long askAtNs;
    private long askIntervalNs;

    /**
     * Creates a watch that starts with the first jobs.
     *
     * @param pollInterval minimum time between two requests
     */
    Watch(Scheduler scheduler, SharedFolder folder, Duration pollInterval) {
        this.scheduler = scheduler;
        this.name = folder.name();
        this.agent = threads("fiber-" + name.backend(), 1);
        this.askers = threads("fiber-" + name.backend() + "-asks", 2);
        this.folder = folder;
        this.intervalNs = pollInterval.toNanos();
        this.askIntervalNs = intervalNs;
    }

    private static ScheduledThreadPoolExecutor threads(String name, int count) {
        ScheduledThreadPoolExecutor threads = new ScheduledThreadPoolExecutor(count, BackendThreads.daemons(name));
        threads.setRemoveOnCancelPolicy(true);
        threads.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        threads.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy());
        return threads;
    }

    /** The work catches its own exceptions, so the returned future is not needed. */
    @SuppressWarnings("FutureReturnValueIgnored")
    private static void later(ScheduledThreadPoolExecutor threads, Runnable work, long delayNs) {
        threads.schedule(work, delayNs, TimeUnit.NANOSECONDS);
    }

    /**
     * Runs a step in the one thread that owns the state, and logs its exceptions, which would otherwise stay in a
     * future that is never read.
     */
    private void execute(Runnable step) {
        agent.execute(() -> guarded(step));
    }

    private void guarded(Runnable step) {
        try {
            step.run();
        } catch (Throwable e) {
            log(Level.WARNING, "Watching the jobs of " + name.shown() + " failed once and continues.", e);
        }
    }

    /**
     * Returns the jobs of a submission, which are not watched yet.
     *
     * @param ids the system's names for them, in the order of the instances
     */
    List<BatchJob> jobs(Submission submission, SharedFolder.Part part, List<String> ids, JobListener listener) {
        List<BatchJob> created = new ArrayList<>();
        for (int i = 0; i < ids.size(); i++) {
            String jobName = submission.instances().get(i).name();
            BatchJob.Place place = new BatchJob.Place(part, i, ids.get(i));
            JobText text =
                    JobText.of(submission.spec().output(), place, jobName, new EndNotices(scheduler::isEndNotice));
            created.add(new BatchJob(jobName, place, listener, text, this::cancel));
        }
        return created;
    }

    /** Starts watching jobs that were submitted. */
    void add(Collection<BatchJob> added) {
        execute(() -> {
            added.forEach(job -> jobs.put(job.id(), job));
            changed();
            askSoon();
            if (!looking) {
                looking = true;
                look();
            }
        });
    }

    /** Asks at once, because something is known to have ended. Thread-safe. */
    void askNow() {
        execute(() -> {
            askAtNs = System.nanoTime();
            changed();
        });
    }

    /** Ends jobs that are not watched, as soon as the system answers. Thread-safe. */
    void endLater(Collection<String> ids) {
        end(ids, Ending.FORCED);
    }

    private void cancel(BatchJob job, long graceNs) {
        execute(() -> {
            long nowNs = System.nanoTime();
            if (job.wishEnd(nowNs, graceNs)) {
                end(List.of(job.id()), Ending.ASKED);
            }
            endOverdue(nowNs);
            changed();
            askSoon();
        });
    }

    /** Cancels all jobs with this grace, by one command. */
    void cancelAll(long graceNs) {
        execute(() -> {
            long nowNs = System.nanoTime();
            isLast = true;
            folder.markCancelled(jobs.values().stream().map(BatchJob::place).toList());
            List<String> polite = jobs.values().stream()
                    .filter(job -> job.wishEnd(nowNs, graceNs))
                    .map(BatchJob::id)
                    .toList();
            if (!polite.isEmpty()) {
                end(polite, Ending.ASKED);
            }
            changed();
            askSoon();
        });
    }

    private void look() {
        long nowNs = System.nanoTime();
        guarded(() -> {
            folder.takeNews().forEach(this::take);
            endOverdue(nowNs);
            rule(nowNs);
            // A host may remember for a while that a file did not exist, so output is read only from jobs that run.
            jobs.values().stream()
                    .filter(job -> job.state() != JobState.QUEUED)
                    .forEach(job -> job.text().copy());
            if (!asking && !jobs.isEmpty() && nowNs - askAtNs >= 0) {
                ask();
            }
        });
        if (jobs.isEmpty()) {
            looking = false;
        } else {
            long quietNs = (nowNs - changedNs) / QUIET_PART;
            later(agent, this::look, Math.max(SHORTEST_LOOK_NS, Math.min(LONGEST_LOOK_NS, quietNs)));
        }
    }

    private void take(SharedFolder.News news) {
        for (BatchJob job : jobs.values()) {
            if (job.place().part().number() == news.part() && job.place().index() == news.index()) {
                switch (news.kind()) {
                    case "begun" -> job.begun(news.text());
                    case "leaving" -> job.leaving();
                    default -> job.ended(Ruling.Note.parse(news.text()));
                }
                changed();
                return;
            }
        }
    }

    private void rule(long nowNs) {
        for (BatchJob job : List.copyOf(jobs.values())) {
            Optional<JobTermination> end = job.rule(nowNs, asked.contains(job.id()));
            end.ifPresent(termination -> {
                jobs.remove(job.id());
                asked.remove(job.id());
                job.tellEnd(termination);
                if (termination.cause() == EndCause.PREEMPTED) {
                    // It may be in the queue again, for a run that would run nothing.
                    end(List.of(job.id()), Ending.FORCED);
                } else if (job.isInTheQueue()) {
                    end(List.of(job.id()), Ending.ASKED);
                }
                changed();
            });
            if (end.isEmpty() && job.isHalfKnown()) {
                askSoon();
            }
        }
    }

    private void endOverdue(long nowNs) {
        List<String> ids = jobs.values().stream()
                .filter(job -> job.isForceDue(nowNs))
                .map(BatchJob::id)
                .toList();
        if (!ids.isEmpty()) {
            end(ids, Ending.FORCED);
        }
    }

    /** Ends jobs in a thread that may wait, and repeats this while the system does not answer. */
    private void end(Collection<String> ids, Ending ending) {
        unanswered.incrementAndGet();
        askers.execute(() -> tellToEnd(ids, ending));
    }

    private void tellToEnd(Collection<String> ids, Ending ending) {
        try {
            scheduler.end(ids, ending);
            unanswered.decrementAndGet();
            execute(this::askSoon);
        } catch (Throwable e) {
            log(levelOf(e), name.shown() + " could not be told to end jobs; Fiber tries again.", e);
            later(askers, () -> tellToEnd(ids, ending), AGAIN_NS);
        }
    }

    private void ask() {
        asking = true;
        Map<BatchJob, JobState> of = new LinkedHashMap<>();
        jobs.values().forEach(job -> of.put(job, job.state()));
        List<String> ids = List.copyOf(jobs.keySet());
        askers.execute(() -> {
            try {
                Map<String, BatchState> states = scheduler.states(ids);
                execute(() -> answered(of, states));
            } catch (Throwable e) {
                execute(() -> notAnswered(ids, e));
            }
        });
    }

    private void answered(Map<BatchJob, JobState> of, Map<String, BatchState> states) {
        long nowNs = System.nanoTime();
        schedule();
        of.forEach((job, then) -> {
            if (!job.isEnded()) {
                asked.add(job.id());
                job.seen(Optional.ofNullable(states.get(job.id())), then, nowNs);
            }
        });
        rule(nowNs);
    }

    /** The session reports an outage where it matters; anything else is a fault of this backend, which is logged once. */
    private void notAnswered(List<String> ids, Throwable failure) {
        if (failure instanceof BackendException) {
            log(Level.DEBUG, name.shown() + " did not answer; Fiber concludes nothing about any job.", failure);
        } else if (!isFaultTold) {
            isFaultTold = true;
            log(
                    Level.WARNING,
                    "Backend '" + name.backend() + "' has a fault: asked for the states of the jobs " + ids
                            + ", it threw an exception that is no BackendException. Fiber learns nothing about these"
                            + " jobs from " + name.shown() + " while that goes on.",
                    failure);
        }
        schedule();
    }

    private static Level levelOf(Throwable failure) {
        return failure instanceof BackendException ? Level.DEBUG : Level.WARNING;
    }

    private void schedule() {
        asking = false;
        // When the session ends, close() waits for the last jobs, but not for long.
        askAtNs = System.nanoTime() + (isLast ? Math.min(AGAIN_NS, intervalNs) : askIntervalNs);
        askIntervalNs = (long) Math.min((double) intervalNs * LONGEST_INTERVALS, askIntervalNs * SLOWING);
    }

    private void changed() {
        changedNs = System.nanoTime();
        askIntervalNs = intervalNs;
    }

    private void askSoon() {
        long soonNs = System.nanoTime() + Math.min(SOON_NS, intervalNs);
        if (askAtNs - soonNs > 0) {
            askAtNs = soonNs;
        }
    }

    /**
     * Waits until every job has ended and the system has answered each request to end one, and returns whether this
     * happened in time. A job that has ended for the session may still be in the queue.
     */
    boolean awaitEnds(long deadlineNs) throws InterruptedException {
        while (true) {
            List<BatchJob> left = new ArrayList<>();
            var look = agent.submit(() -> left.addAll(jobs.values()));
            try {
                look.get(Math.max(1, deadlineNs - System.nanoTime()), TimeUnit.NANOSECONDS);
            } catch (java.util.concurrent.ExecutionException | java.util.concurrent.TimeoutException e) {
                return false;
            }
            if (left.isEmpty() && unanswered.get() == 0) {
                return true;
            }
            if (deadlineNs - System.nanoTime() <= 0) {
                return false;
            }
            TimeUnit.NANOSECONDS.sleep(SHORTEST_LOOK_NS);
        }
    }

    /** Ends the threads; jobs whose end is unknown are reported as cancelled. */
    @Override
    public void close() {
        end(() -> {
            List.copyOf(jobs.values()).forEach(job -> job.tellEnd(JobTermination.cancelled()));
            jobs.clear();
        });
    }

    /** Ends the threads and reports nothing more: from now on the jobs belong to the system alone. */
    void leave() {
        end(jobs::clear);
    }

    private void end(Runnable lastOfAll) {
        execute(lastOfAll);
        agent.shutdown();
        askers.shutdownNow();
        try {
            agent.awaitTermination(AGAIN_NS, TimeUnit.NANOSECONDS);
            askers.awaitTermination(LAST_COMMANDS_NS, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void log(Level level, String message, Throwable cause) {
        System.getLogger(Watch.class.getName()).log(level, message, cause);
    }
}
