// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import static java.util.Objects.requireNonNull;

import com.github.dockerjava.api.model.Info;
import io.fiber.spi.backend.Backend;
import io.fiber.spi.backend.BackendContext;
import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.CallerHost;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobListener;
import io.fiber.spi.backend.JobState;
import io.fiber.spi.backend.Reaper;
import io.fiber.spi.backend.Submission;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/** Starts containers and tells what becomes of them. Thread-safe. */
final class DockerBackend implements Backend {

    private static final Duration CLOSE_GRACE = Duration.ofSeconds(2);
    /** Of the ten seconds that close may take. */
    private static final long CLOSE_LIMIT_NS = TimeUnit.MILLISECONDS.toNanos(9_500);
    /** What is left of them at least for what jobs leave behind. */
    private static final long SWEEP_LIMIT_NS = TimeUnit.SECONDS.toNanos(3);

    private final BackendContext context;
    private final Engine engine;
    private final DockerOptions options;
    private final CallerHost callerHost;
    private final SessionLabels labels;
    private final Images images;
    private final Threads threads = new Threads();
    private final Map<String, DockerJob> jobs = new ConcurrentHashMap<>();
    private final Launcher launcher;
    private final Watch watch;

    /** Held for reading by submissions, for writing by close, so that none slips in behind it. */
    private final ReadWriteLock opening = new ReentrantReadWriteLock();

    private boolean closed;
    private Reaper.@Nullable Registration removal;

    DockerBackend(BackendContext context, Engine engine, DockerOptions options) {
        this.context = requireNonNull(context, "context");
        this.engine = engine;
        this.options = options;
        Info daemon = engine.info();
        this.callerHost = MasterAddress.find(engine, options, daemon);
        this.labels = new SessionLabels(context.sessionId());
        this.images = new Images(engine, options);
        Crew crew = new Crew();
        this.launcher = new Launcher(
                engine,
                labels,
                new Launcher.Tools(
                        new ClassPathVolume(engine, labels, context.directory()),
                        images,
                        threads,
                        String.valueOf(daemon.getName())),
                crew);
        this.watch = new Watch(engine, labels, crew, crew);
    }

    @Override
    public CallerHost callerHost() {
        return callerHost;
    }

    @Override
    public boolean isOneHost() {
        return true;
    }

    @Override
    public List<Job> submit(Submission submission, JobListener listener) {
        requireNonNull(listener, "listener");
        ContainerPlan plan = new ContainerPlan(submission.spec(), options);
        refuseWhenClosed();
        // A pull may take minutes, and close must not wait for it.
        images.provide(plan.image(), plan.imageOrigin());
        opening.readLock().lock();
        try {
            refuseWhenClosed();
            beRemovedAtDeath();
            threads.later(watch::open);
            List<DockerJob> made = launcher.make(submission, plan, listener);
            made.forEach(job -> jobs.put(job.containerId(), job));
            made.forEach(job -> threads.ask(job::start));
            return List.copyOf(made);
        } finally {
            opening.readLock().unlock();
        }
    }

    @Override
    public Optional<String> preview(Submission submission) {
        return Optional.of(launcher.preview(submission, new ContainerPlan(submission.spec(), options)));
    }

    private void refuseWhenClosed() {
        opening.readLock().lock();
        try {
            if (closed) {
                throw new IllegalStateException("The backend 'docker' is closed; it takes no more jobs.");
            }
        } finally {
            opening.readLock().unlock();
        }
    }

    private synchronized void beRemovedAtDeath() {
        if (removal == null) {
            removal = context.reaper().onDeath(Remains.command(engine.address(), labels, options.remains()));
        }
    }

    /** What jobs and the watch see of the backend. */
    private final class Crew implements DockerJob.Owner, Watch.Guard {
        @Override
        public void later(Runnable action) {
            threads.later(action);
        }

        @Override
        public Future<?> after(long delayNs, Runnable action) {
            return threads.after(delayNs, action);
        }

        @Override
        public void ask(Runnable question) {
            threads.ask(question);
        }

        @Override
        public void askAgain(Runnable question) {
            threads.askAgain(question);
        }

        @Override
        public void hasEnded(DockerJob job) {
            threads.ask(() -> clear(job));
        }

        @Override
        public void look(String containerId) {
            DockerJob job = jobs.get(containerId);
            if (job != null) {
                job.look();
            }
        }

        @Override
        public void outOfMemory(String containerId) {
            DockerJob job = jobs.get(containerId);
            if (job != null) {
                job.outOfMemory();
            }
        }

        @Override
        public void lookEverywhere() {
            jobs.values().forEach(DockerJob::look);
        }
    }

    /** Waits for Docker; what cannot be removed now is removed at the end of the session. */
    private void clear(DockerJob job) {
        job.text().close();
        try {
            if (options.remains() == DockerOptions.Keep.NOTHING || job.state() != JobState.FAILED) {
                engine.remove(job.containerId());
            }
        } catch (BackendException | Refusal e) {
            System.getLogger(DockerBackend.class.getName())
                    .log(Level.DEBUG, "The container of " + job + " is removed later.", e);
        } finally {
            jobs.remove(job.containerId());
            synchronized (this) {
                notifyAll();
            }
        }
    }

    @Override
    public void close() {
        opening.writeLock().lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
        } finally {
            opening.writeLock().unlock();
        }
        long deadlineNs = System.nanoTime() + CLOSE_LIMIT_NS;
        jobs.values().forEach(job -> job.cancel(CLOSE_GRACE));
        try {
            awaitNoJobs(deadlineNs - SWEEP_LIMIT_NS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        threads.finish(() -> {
            watch.close();
            jobs.values().forEach(DockerJob::giveUp);
        });
        removeRemains(deadlineNs);
        threads.close();
        engine.close();
    }

    private synchronized void awaitNoJobs(long deadlineNs) throws InterruptedException {
        while (!jobs.isEmpty()) {
            long leftNs = deadlineNs - System.nanoTime();
            if (leftNs <= 0) {
                return;
            }
            TimeUnit.NANOSECONDS.timedWait(this, leftNs);
        }
    }

    private synchronized void removeRemains(long deadlineNs) {
        if (removal == null) {
            return;
        }
        long limitMs = TimeUnit.NANOSECONDS.toMillis(deadlineNs - System.nanoTime());
        boolean removed = threads.within(limitMs, () -> Remains.remove(engine, labels, options.remains()));
        if (!removed) {
            System.getLogger(DockerBackend.class.getName())
                    .log(
                            Level.WARNING,
                            "Docker did not confirm in time that all containers of session " + labels.sessionId()
                                    + " are gone; a small process tries it for ten minutes. By hand: docker rm -fv"
                                    + " $(docker ps -aqf label=" + labels.filter() + ")");
            removeLater();
        }
        removal.cancel();
    }

    /** A process that outlives this one. */
    private void removeLater() {
        try {
            new ProcessBuilder(Remains.command(engine.address(), labels, options.remains()))
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .getOutputStream()
                    .close();
        } catch (IOException e) {
            System.getLogger(DockerBackend.class.getName())
                    .log(Level.WARNING, "The process that removes containers later could not be started.", e);
        }
    }
}
