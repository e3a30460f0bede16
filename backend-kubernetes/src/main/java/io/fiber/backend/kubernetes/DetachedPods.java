// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.dsl.LogWatch;
import io.fiber.backend.support.DetachedRuns;
import io.fiber.spec.Resources;
import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.BackendUnavailableException;
import io.fiber.spi.backend.DetachedJob;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.Program;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Pods that the cluster keeps without the program that created them, found by their label, and the Jobs of the API that
 * start their programs again. Waits for the API server.
 * Thread-safe.
 */
final class DetachedPods extends DetachedRuns {

    private static final long AGAIN_MS = 500;
    private static final long LOOK_NS = TimeUnit.SECONDS.toNanos(5);

    /** A program may take this long until its first output. */
    private static final long EARLY_S = 3;

    /** After this time the node has looked at the log at least once. */
    private static final long LATE_S = 10;

    private final Cluster cluster;
    private final PodPlan.Setting setting;

    /**
     * Creates it.
     *
     * @param setting the setting of the session that looks for pods
     */
    DetachedPods(Cluster cluster, PodPlan.Setting setting, BooleanSupplier handOver) {
        super(handOver);
        this.cluster = cluster;
        this.setting = setting;
    }

    @Override
    public List<DetachedJob> all() {
        try {
            // Jobs first: the pods of one that is created in between are there alone.
            List<Job> jobs = cluster.jobsWith(RUN);
            return KeptRun.of(jobs, cluster.podsWith(RUN)).stream()
                    .map(run -> run.seen(setting))
                    .toList();
        } catch (Refusal e) {
            throw refused(e);
        }
    }

    private static RuntimeException refused(Refusal e) {
        return refused("The API server", e.words(), e);
    }

    static State state(Pod pod, PodPlan.Setting setting) {
        JobSpec.Builder spec = JobSpec.builder(new Program.Command(List.of(Template.WORKER)));
        pod.getSpec().getContainers().stream().findFirst().ifPresent(worker -> {
            spec.image(worker.getImage());
            memoryOf(worker)
                    .ifPresent(bytes -> spec.resources(Resources.unspecified().withMemoryBytes(bytes)));
        });
        PodReading reading = PodReading.of(pod, new PodPlan(spec.build(), setting), Optional.empty());
        if (reading instanceof PodReading.Ended ended) {
            return State.ended(ended.termination());
        }
        if (pod.getMetadata().getDeletionTimestamp() != null) {
            return State.open("is being deleted");
        }
        if (reading instanceof PodReading.Running running) {
            return State.open("runs on " + running.node());
        }
        return State.open(
                reading instanceof PodReading.Waiting waiting ? "waits: " + waiting.reason() : "is being started");
    }

    /** Returns the memory limit of a container in bytes. */
    private static Optional<Long> memoryOf(Container worker) {
        return Optional.ofNullable(worker.getResources())
                .map(ResourceRequirements::getLimits)
                .map(limits -> limits.get("memory"))
                .map(limit -> limit.getNumericalAmount().longValue());
    }

    @Override
    public void copyLog(DetachedJob job, Until until, OutputStream to) throws IOException {
        try {
            if (cluster.find(job.id()) == null && copyOfPods(job, until, to)) {
                return;
            }
            if (until == Until.NOW) {
                copy(job, job.id(), to);
            } else {
                follow(job, job.id(), to);
            }
        } catch (Refusal e) {
            throw noLog(
                    job,
                    "the API server says: " + e.words() + ". 'kubectl -n " + cluster.namespace() + " describe pod "
                            + job.id() + "' shows what the pod waits for, if it is there.");
        }
    }

    /**
     * Copies what the pods of a Job have written, in the order of their creation. Returns whether there is such a Job, or
     * a pod of it.
     */
    private boolean copyOfPods(DetachedJob job, Until until, OutputStream to) throws IOException {
        Set<String> copied = new HashSet<>();
        boolean isFound = false;
        while (true) {
            Optional<KeptRun> run = run(job);
            isFound |= run.isPresent();
            Optional<Pod> next = run.stream()
                    .flatMap(each -> each.pods().stream())
                    .filter(pod -> PodReading.started(pod.getStatus()).isPresent())
                    .filter(pod -> !copied.contains(pod.getMetadata().getName()))
                    .findFirst();
            if (next.isPresent()) {
                copied.add(next.get().getMetadata().getName());
                copyOfOne(job, next.get().getMetadata().getName(), until, to);
            } else if (until == Until.NOW
                    || run.isEmpty()
                    || run.get().state(setting).end().isPresent()) {
                return isFound;
            } else {
                rest();
            }
        }
    }

    private Optional<KeptRun> run(DetachedJob job) {
        List<Job> jobs = cluster.job(job.id()).map(List::of).orElse(List.of());
        return KeptRun.of(jobs, cluster.podsOf(job.sessionId(), job.name())).stream()
                .filter(run -> run.id().equals(job.id()))
                .findFirst();
    }

    /** A pod of a lost node, or one that is being removed, does not keep those of later starts from being read. */
    private void copyOfOne(DetachedJob job, String pod, Until until, OutputStream to) throws IOException {
        try {
            if (until == Until.NOW) {
                copy(job, pod, to);
            } else {
                follow(job, pod, to);
            }
        } catch (Refusal | BackendException e) {
            System.getLogger(DetachedPods.class.getName())
                    .log(
                            Level.WARNING,
                            "The output of the pod " + pod + " of run " + job.run() + " cannot be read: "
                                    + e.getMessage());
        }
    }

    private void copy(DetachedJob job, String pod, OutputStream to) throws IOException {
        Beginning beginning = new Beginning(job, pod, cluster.find(pod));
        OutputStream connection = new LogCopy(to, beginning, System::nanoTime)
                .connect(LogCopy.Previous.COMPLETE)
                .orElseThrow();
        try (InputStream log = cluster.ask(client ->
                cluster.pod(pod).inContainer(Template.WORKER).usingTimestamps().getLogInputStream())) {
            log.transferTo(connection);
        }
        beginning.isAll();
    }

    /** Reads until the run has ended. A connection may end earlier, because the API server or a proxy closes it. */
    private void follow(DetachedJob job, String name, OutputStream to) throws IOException {
        // Asked first, because following a log hides the server's rejection.
        cluster.log(name, 1);
        Beginning beginning = new Beginning(job, name, cluster.find(name));
        LogCopy copy = new LogCopy(to, beginning, System::nanoTime);
        LogCopy.Previous previous = LogCopy.Previous.COMPLETE;
        while (true) {
            // Asked before the log is read, so that the last output is not missed.
            Pod pod = cluster.find(name);
            Optional<Throwable> failure = Optional.empty();
            try {
                failure = read(name, copy, previous);
                previous = failure.isEmpty() ? LogCopy.Previous.COMPLETE : LogCopy.Previous.BROKEN;
            } catch (TimeoutException e) {
                previous = LogCopy.Previous.SILENT;
            }
            if (pod == null
                    || (previous != LogCopy.Previous.SILENT
                            && state(pod, setting).end().isPresent())) {
                if (pod != null && failure.isPresent()) {
                    throw noLog(
                            job,
                            "it broke off: " + failure.get() + ". What can be read was printed; 'fiber logs "
                                    + job.run() + "' tries it again.");
                }
                beginning.isAll();
                return;
            }
            if (previous != LogCopy.Previous.SILENT) {
                rest();
            }
        }
    }

    /**
     * Reads to the end of the connection. Returns why that was not the end of the log; empty if it was.
     *
     * @throws TimeoutException if another connection may bring more
     */
    private Optional<Throwable> read(String pod, LogCopy copy, LogCopy.Previous previous)
            throws IOException, TimeoutException {
        LogCopy.Connection to = copy.connect(previous).orElseThrow(TimeoutException::new);
        try (LogWatch log = cluster.ask(client -> cluster.pod(pod)
                .inContainer(Template.WORKER)
                .withReadyWaitTimeout(0)
                .usingTimestamps()
                .sinceTime(to.since().toString())
                .watchLog(to))) {
            CompletableFuture<Throwable> end = log.onClose().toCompletableFuture();
            while (!end.isDone()) {
                long leftNs = copy.lookAfterNs().orElse(LOOK_NS);
                if (leftNs == 0) {
                    throw new TimeoutException();
                }
                await(end, leftNs);
            }
            Optional<Throwable> failure = Optional.ofNullable(end.join());
            copy.check();
            return failure;
        }
    }

    private static void await(CompletableFuture<Throwable> end, long ns) {
        try {
            end.get(ns, TimeUnit.NANOSECONDS);
        } catch (TimeoutException | ExecutionException e) {
            // The caller looks.
            return;
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private static BackendUnavailableException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new BackendUnavailableException("Reading the log of a pod was interrupted.", e);
    }

    /** Reports if a log may lack its beginning or other lines. */
    private static final class Beginning implements LogCopy.Gaps {
        private final DetachedJob job;
        private final String name;
        private final Optional<Instant> started;
        private volatile boolean hasBegun;

        Beginning(DetachedJob job, String name, @Nullable Pod pod) {
            this.job = job;
            this.name = name;
            // A pod of a Job may pause before it starts the program.
            this.started = Optional.ofNullable(pod)
                    .filter(each -> !Restarts.has(each.getMetadata()))
                    .map(Pod::getStatus)
                    .flatMap(PodReading::started);
        }

        @Override
        public void begins(Instant first) {
            hasBegun = true;
            started.map(start -> Duration.between(start, first).toSeconds())
                    .filter(late -> late > EARLY_S)
                    .ifPresent(late -> warn("begins " + late
                            + " s after the program started. If the program wrote something before that"));
        }

        @Override
        public void mayBeMissing(Instant after, Instant before) {
            System.getLogger(DetachedPods.class.getName()).log(Level.WARNING, JobText.missing(name, after, before));
        }

        /** Reports a log without a line, unless the program has just started. */
        void isAll() {
            if (!hasBegun
                    && started.filter(start -> start.plusSeconds(LATE_S).isBefore(Instant.now()))
                            .isPresent()) {
                warn("is empty. If the program has written something");
            }
        }

        private void warn(String what) {
            System.getLogger(DetachedPods.class.getName())
                    .log(
                            Level.WARNING,
                            "The log of run " + job.run() + " (pod " + name + ") " + what
                                    + ", it is gone: the API server gives only the newest file of a log, which has"
                                    + " about 10 MiB by default.");
        }
    }

    private static void rest() {
        try {
            TimeUnit.MILLISECONDS.sleep(AGAIN_MS);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    @Override
    public void end(DetachedJob job, Ending ending) {
        try {
            OptionalLong graceS =
                    ending == Ending.ASKED ? OptionalLong.empty() : OptionalLong.of(Cluster.SHORTEST_GRACE_S);
            boolean isPod = graceS.isEmpty() ? cluster.delete(job.id()) : cluster.delete(job.id(), graceS.getAsLong());
            if (!isPod) {
                cluster.deleteJob(job.id(), job.sessionId(), job.name(), graceS);
            }
            // A pod has its secret mounted; nothing else finds the secret once the pod is gone.
            cluster.deleteSecrets(Cluster.labels(job.sessionId()));
        } catch (Refusal e) {
            throw refused(e);
        }
    }
}
