// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static java.util.Objects.requireNonNull;

import io.fiber.backend.support.LongWords;
import io.fiber.backend.support.SubmissionGate;
import io.fiber.spec.Secret;
import io.fiber.spi.CallerHost;
import io.fiber.spi.backend.Backend;
import io.fiber.spi.backend.BackendContext;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobListener;
import io.fiber.spi.backend.JobRejectedException;
import io.fiber.spi.backend.Submission;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Starts child processes and reports what happens to them. Thread-safe.
 *
 * <p>A thread of the job waits for the end of its process. {@link Process#onExit} is not used because it needs the
 * common pool: if a program blocks or fills that pool, no exit would be reported. The processes of one submission are
 * started one after the other; on two cores, starting them in parallel was not faster.
 */
final class LocalBackend implements Backend, LocalJob.Owner {

    private static final Duration CLOSE_GRACE = Duration.ofSeconds(2);
    private static final long CLOSE_LIMIT_NS = TimeUnit.SECONDS.toNanos(8);
    private static final long TELL_AGAIN_MS = 50;
    private static final long WAITER_STACK_BYTES = 128 * 1024;
    private static final int AGENT_IDLE_SECONDS = 5;

    /** How soon a job gets a GPU that another program has freed. An attempt reads a file and takes 1 ms. */
    private static final long GPUS_AGAIN_MS = 200;

    private final BackendContext context;
    private final ProcessGroups groups = ProcessGroups.ofThisHost();
    private final Launch.Input input;

    /** The single thread that calls listeners, keeps time and kills processes. It ends when there is nothing to do. */
    private final ScheduledThreadPoolExecutor agent;

    private final Set<LocalJob> jobs = ConcurrentHashMap.newKeySet();
    private final ConcurrentLinkedQueue<Exit> exits = new ConcurrentLinkedQueue<>();
    private final Set<Thread> waiters = ConcurrentHashMap.newKeySet();

    /** Made for the first job with GPUs, because looking for them may take seconds. */
    private volatile @Nullable GpuQueue gpuQueue;

    /** Whether the next attempt is scheduled. Belongs to the backend's own thread. */
    private boolean gpusAreTriedAgain;

    private final SubmissionGate gate = new SubmissionGate(LocalBackendProvider.NAME);

    /** The end of a process that has not been reported yet. */
    private static final class Exit {
        final LocalJob job;
        final int exitCode;

        /** Whether what the job left behind has been killed. Belongs to the backend's own thread. */
        boolean alone;

        /** Whether its last lines have arrived, or were waited for long enough. */
        volatile boolean complete;

        Exit(LocalJob job, int exitCode) {
            this.job = job;
            this.exitCode = exitCode;
        }
    }

    LocalBackend(BackendContext context) {
        this.context = requireNonNull(context, "context");
        input = context.options().isOn(LocalBackendProvider.INPUT.name()).orElse(false)
                ? Launch.Input.CONSOLE
                : Launch.Input.NOTHING;
        agent = new ScheduledThreadPoolExecutor(1, work -> {
            Thread thread = new Thread(work, "fiber-local");
            thread.setDaemon(true);
            return thread;
        });
        agent.setKeepAliveTime(AGENT_IDLE_SECONDS, TimeUnit.SECONDS);
        agent.allowCoreThreadTimeOut(true);
        agent.setRemoveOnCancelPolicy(true);
        agent.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy());
    }

    @Override
    public CallerHost callerHost() {
        return CallerHost.sameHost();
    }

    @Override
    public List<Job> submit(Submission submission, JobListener listener) {
        requireNonNull(listener, "listener");
        Launch launch = Launch.of(submission, groups, () -> gpuQueue().gpus()).withLongWordsIn(context.directory());
        return gate.pass(new Start(launch, submission, listener));
    }

    @Override
    public Optional<String> preview(Submission submission) {
        return Optional.of(
                Launch.of(submission, groups, () -> gpuQueue().gpus()).text(submission));
    }

    private synchronized GpuQueue gpuQueue() {
        GpuQueue queue = gpuQueue;
        if (queue == null) {
            Gpus gpus = Gpus.of(context.options(), context.environment(), GpuDrivers.ofThisHost());
            // The files of all sessions of this user are in one directory.
            queue = new GpuQueue(
                    gpus, new GpuClaims(requireNonNull(context.directory().getParent()), context.environment()));
            gpuQueue = queue;
        }
        return queue;
    }

    /** The processes of one submission while they are being started. */
    private final class Start implements Supplier<List<Job>> {
        private final Launch launch;
        private final Submission submission;
        private final JobListener listener;
        private final List<LocalJob> started = new ArrayList<>();
        private final Verdict verdict = new Verdict();

        Start(Launch launch, Submission submission, JobListener listener) {
            this.launch = launch;
            this.submission = submission;
            this.listener = listener;
        }

        @Override
        public List<Job> get() {
            boolean complete = false;
            try {
                for (Submission.Instance instance : submission.instances()) {
                    start(instance);
                }
                complete = true;
            } finally {
                if (!complete) {
                    undo();
                }
            }
            for (int i = 0; i < started.size(); i++) {
                LocalJob job = started.get(i);
                Secret bootstrap = submission.instances().get(i).bootstrap();
                agent.execute(needsGpus() ? () -> queue(job, bootstrap) : () -> begin(job));
            }
            verdict.give(Verdict.Answer.TAKEN);
            return List.copyOf(started);
        }

        private boolean needsGpus() {
            return submission.spec().resources().gpus() > 0;
        }

        private void begin(LocalJob job) {
            job.begun();
            submission.spec().timeLimit().ifPresent(limit -> {
                job.limited(agent.schedule(job::timeIsOver, LocalJob.limitNs(limit), TimeUnit.NANOSECONDS));
            });
        }

        private void grant(LocalJob job, List<String> gpus, Secret bootstrap) {
            try {
                startThread("fiber-local-input-" + job.name(), () -> {
                    job.sendGpus(gpus);
                    job.sendInput(bootstrap, input);
                });
                begin(job);
            } catch (OutOfMemoryError e) {
                // There is no thread for it: its end says so, and others wait for the GPUs.
                job.sendKill(groups);
            }
        }

        private void queue(LocalJob job, Secret bootstrap) {
            gpuQueue()
                    .add(new GpuQueue.Waiter(
                            job, submission.spec().resources().gpus(), gpus -> grant(job, gpus, bootstrap)));
            startJobsWithGpus();
        }

        private void start(Submission.Instance instance) {
            Process process;
            JobLog log;
            try {
                log = JobLog.of(submission.spec().output(), instance.name());
                ProcessBuilder builder = launch.process(instance, input);
                log.direct(builder);
                process = builder.start();
            } catch (IOException e) {
                throw new JobRejectedException(
                        "Process '" + instance.name() + "' cannot be started: " + e.getMessage() + ". The command is "
                                + LongWords.shown(launch.command()) + ".",
                        e);
            }
            LocalJob job = new LocalJob(instance.name(), process, log, listener, LocalBackend.this);
            started.add(job);
            jobs.add(job);
            List<String> killCommand = groups.killCommand(process.pid());
            if (!killCommand.isEmpty()) {
                job.reaped(context.reaper().onDeath(killCommand));
            }
            log.attach(process);
            startThread("fiber-local-" + job.name(), () -> {
                if (!needsGpus()) {
                    job.sendInput(instance.bootstrap(), input);
                }
                watch(job, verdict);
            });
        }

        private void undo() {
            for (LocalJob job : started) {
                job.sendKill(groups);
            }
            verdict.give(Verdict.Answer.REFUSED);
            for (LocalJob job : started) {
                job.awaitKilled();
                job.release();
                jobs.remove(job);
            }
        }
    }

    private void watch(LocalJob job, Verdict verdict) {
        int exitCode = job.awaitEnd();
        if (verdict.await() == Verdict.Answer.TAKEN) {
            tellWhenComplete(new Exit(job, exitCode));
        }
    }

    /** Starts a thread that ends with the process of a job. */
    private void startThread(String name, Runnable work) {
        Thread waiter = new Thread(
                null,
                () -> {
                    try {
                        work.run();
                    } finally {
                        waiters.remove(Thread.currentThread());
                    }
                },
                name,
                WAITER_STACK_BYTES);
        waiter.setDaemon(true);
        waiters.add(waiter);
        waiter.start();
    }

    /** Starts jobs for which there are GPUs now, and tries again soon if others wait. In the backend's thread. */
    private void startJobsWithGpus() {
        GpuQueue queue = gpuQueue;
        if (queue != null && queue.startJobs() && !gpusAreTriedAgain) {
            gpusAreTriedAgain = true;
            var unused = agent.schedule(
                    () -> {
                        gpusAreTriedAgain = false;
                        startJobsWithGpus();
                    },
                    GPUS_AGAIN_MS,
                    TimeUnit.MILLISECONDS);
        }
    }

    /**
     * Reports an exit when the last lines have arrived. A process that holds their pipe may have to be killed first.
     */
    private void tellWhenComplete(Exit exit) {
        exits.add(exit);
        agent.execute(this::tellExits);
        try {
            exit.job.log().awaitLastLines();
        } finally {
            exit.complete = true;
            agent.execute(this::tellExits);
        }
    }

    /**
     * Kills what ended processes have left behind, with one command, and reports exits whose last lines have arrived.
     */
    private void tellExits() {
        try {
            List<Exit> fresh = exits.stream().filter(exit -> !exit.alone).toList();
            groups.kill(fresh.stream().map(exit -> exit.job.pid()).toList());
            for (Exit exit : fresh) {
                exit.job.killDescendants();
                exit.job.release();
                exit.alone = true;
                freeGpus(exit.job);
            }
            for (Exit exit : exits) {
                if (exit.alone && exit.complete) {
                    exit.job.ended(exit.exitCode);
                    jobs.remove(exit.job);
                    exits.remove(exit);
                }
            }
        } catch (Throwable e) {
            System.getLogger(LocalBackend.class.getName()).log(Level.WARNING, "The end of jobs is reported later.", e);
            var unused = agent.schedule(this::tellExits, TELL_AGAIN_MS, TimeUnit.MILLISECONDS);
        }
    }

    private void freeGpus(LocalJob job) {
        GpuQueue queue = gpuQueue;
        if (queue != null) {
            queue.remove(job);
            startJobsWithGpus();
        }
    }

    @Override
    public void terminate(LocalJob job) {
        agent.execute(job::sendTerminate);
    }

    @Override
    public Future<?> killAfter(LocalJob job, long delayNs) {
        return agent.schedule(() -> job.sendKill(groups), delayNs, TimeUnit.NANOSECONDS);
    }

    @Override
    public void close() {
        gate.close(this::end);
    }

    private void end() {
        long deadlineNs = System.nanoTime() + CLOSE_LIMIT_NS;
        jobs.forEach(job -> job.cancel(CLOSE_GRACE));
        try {
            for (Thread waiter : List.copyOf(waiters)) {
                join(waiter, deadlineNs);
            }
            agent.shutdown();
            agent.awaitTermination(deadlineNs - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            jobs.forEach(job -> job.sendKill(groups));
        } finally {
            agent.shutdown();
        }
    }

    private static void join(Thread thread, long deadlineNs) throws InterruptedException {
        long leftNs = deadlineNs - System.nanoTime();
        if (leftNs > 0) {
            TimeUnit.NANOSECONDS.timedJoin(thread, leftNs);
        }
    }
}
