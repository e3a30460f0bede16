// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import static java.util.Objects.requireNonNull;

import com.github.dockerjava.api.model.Info;
import io.fiber.backend.support.BackendThreads;
import io.fiber.backend.support.FailedJobs;
import io.fiber.backend.support.SessionLabels;
import io.fiber.backend.support.SubmissionGate;
import io.fiber.backend.support.Sweep;
import io.fiber.spi.CallerHost;
import io.fiber.spi.Options;
import io.fiber.spi.backend.Backend;
import io.fiber.spi.backend.BackendContext;
import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.DetachedJobs;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobListener;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.JobState;
import io.fiber.spi.backend.Leftover;
import io.fiber.spi.backend.Submission;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** Starts containers and reports what happens to them. Thread-safe. */
final class DockerBackend implements Backend {

    /** How many threads wait for Docker. */
    private static final int API_THREADS = 4;

    private static final Duration CLOSE_GRACE = Duration.ofSeconds(2);
    /** Slightly less than the ten seconds that close may take. */
    private static final long CLOSE_LIMIT_NS = TimeUnit.MILLISECONDS.toNanos(9_500);
    /** The part of that time that is reserved for removing what jobs leave. */
    private static final long SWEEP_LIMIT_NS = TimeUnit.SECONDS.toNanos(3);

    private final Engine engine;
    private final Options given;
    private final DockerOptions options;
    private final Optional<EngineSocket> socket;
    private final CallerHost callerHost;
    private final SessionLabels labels;
    private final Images images;
    private final BackendThreads threads = new BackendThreads(DockerBackendProvider.NAME, API_THREADS);
    private final Map<String, DockerJob> jobs = new ConcurrentHashMap<>();
    private final ClassPathVolume classPath;
    private final Launcher launcher;
    private final Watch watch;

    private final SubmissionGate gate = new SubmissionGate(DockerBackendProvider.NAME);
    private final Sweep sweep;
    private final DetachedContainers detached;

    DockerBackend(BackendContext context, Engine engine) {
        this.engine = engine;
        Info daemon = engine.info();
        this.given = DockerOptions.forDaemon(context.options(), daemon);
        this.options = DockerOptions.of(given);
        this.callerHost = MasterAddress.find(engine, options, daemon);
        this.socket = options.jobsSubmit() ? Optional.of(EngineSocket.of(engine)) : Optional.empty();
        this.labels = new SessionLabels(context.sessionId(), OwnContainer.ownerLabels(engine));
        this.sweep = new Sweep(context.reaper(), Remains.command(engine.address(), labels, options.failedJobs()));
        this.images = new Images(engine, options, new RegistryLogins(context.environment()), threads);
        this.detached =
                new DetachedContainers(engine, String.valueOf(daemon.getName()), () -> gate.handOver(this::handOver));
        this.classPath = new ClassPathVolume(engine, labels, context.directory());
        this.launcher = new Launcher(
                engine,
                labels,
                new Launcher.Tools(classPath, images, threads, String.valueOf(daemon.getName())),
                job -> threads.ask(() -> removeEnded(job)));
        this.watch = new Watch(engine, labels, threads, jobs);
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
        ContainerPlan plan = plan(submission);
        gate.check();
        // A pull may take minutes, and close must not wait for it.
        images.provide(plan.image(), plan.imageOrigin());
        return gate.pass(() -> {
            sweep.prepare();
            threads.later(watch::open);
            List<DockerJob> made = launcher.launch(submission, plan, listener);
            made.forEach(job -> jobs.put(job.containerId(), job));
            made.forEach(job -> threads.ask(job::start));
            return List.copyOf(made);
        });
    }

    @Override
    public Optional<String> preview(Submission submission) {
        return Optional.of(launcher.preview(submission, plan(submission)));
    }

    private ContainerPlan plan(Submission submission) {
        submission.requireOffered(DockerBackendProvider.NAME, DockerBackendProvider.CAPABILITIES);
        JobSpec spec = submission.spec();
        return new ContainerPlan(
                spec,
                spec.options().isEmpty() ? options : DockerOptions.of(given.with(spec.options(), DockerOptions.keys())),
                socket);
    }

    @Override
    public List<Leftover> leftovers() {
        return Remains.ofOthers(engine);
    }

    @Override
    public void remove(Leftover leftover) {
        Remains.remove(engine, leftover);
    }

    @Override
    public Optional<DetachedJobs> detachedJobs() {
        return Optional.of(detached);
    }

    /** A container has everything it needs once it is created, but Docker does not start it by itself. */
    private boolean handOver() {
        if (jobs.values().stream().anyMatch(job -> job.state() == JobState.QUEUED)) {
            return false;
        }
        sweep.leave();
        return true;
    }

    /**
     * Removes what an ended job has left. Waits for Docker. What cannot be removed now is removed at the end of the
     * session.
     */
    private void removeEnded(DockerJob job) {
        try {
            job.text().close();
            boolean kept = job.isDetached()
                    ? job.state() != JobState.CANCELLED
                    : options.failedJobs() == FailedJobs.KEPT && job.state() == JobState.FAILED;
            if (!kept) {
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
        gate.close(this::end);
    }

    private void end() {
        if (gate.isHandedOver()) {
            threads.finish(watch::close);
        } else {
            endJobs();
        }
        threads.close();
        classPath.close();
        engine.close();
    }

    private void endJobs() {
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
        threads.forgetQuestions();
        sweep.finish(
                () -> isSwept(deadlineNs),
                "Docker did not confirm in time that all containers of session " + labels.sessionId()
                        + " are gone; a small process tries it for ten minutes. By hand: docker rm -fv"
                        + " $(docker ps -aqf label=" + labels.selector() + ")");
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

    private boolean isSwept(long deadlineNs) {
        long limitMs = TimeUnit.NANOSECONDS.toMillis(deadlineNs - System.nanoTime());
        return threads.within(limitMs, () -> Remains.remove(engine, labels, options.failedJobs()));
    }
}
