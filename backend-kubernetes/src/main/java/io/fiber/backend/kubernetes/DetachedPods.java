// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.client.dsl.LogWatch;
import io.fiber.backend.support.DetachedRuns;
import io.fiber.spi.Resources;
import io.fiber.spi.backend.BackendUnavailableException;
import io.fiber.spi.backend.DetachedJob;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.Program;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Pods that the cluster keeps without the program that created them, found by their label. Waits for the API server.
 * Thread-safe.
 */
final class DetachedPods extends DetachedRuns {

    private static final long AGAIN_MS = 500;

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
            return cluster.podsWith(RUN).stream().map(this::job).toList();
        } catch (Refusal e) {
            throw refused(e);
        }
    }

    private static RuntimeException refused(Refusal e) {
        return refused("The API server", e.words(), e);
    }

    private DetachedJob job(Pod pod) {
        return of(
                pod.getMetadata().getLabels(),
                new Seen(
                        pod.getMetadata().getName(),
                        Instant.parse(pod.getMetadata().getCreationTimestamp())),
                state(pod, setting));
    }

    static State state(Pod pod, PodPlan.Setting setting) {
        JobSpec.Builder spec = JobSpec.builder(new Program.Command(List.of(Template.WORKER)));
        pod.getSpec().getContainers().stream().findFirst().ifPresent(worker -> {
            spec.image(worker.getImage());
            memoryOf(worker)
                    .ifPresent(
                            bytes -> spec.resources(new Resources(OptionalDouble.empty(), OptionalLong.of(bytes), 0)));
        });
        PodReading reading = PodReading.of(pod, new PodPlan(spec.build(), setting), "");
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
            if (until == Until.NOW) {
                copy(job, to);
            } else {
                follow(job, to);
            }
        } catch (Refusal e) {
            throw noLog(
                    job,
                    "the API server says: " + e.words() + ". 'kubectl -n " + cluster.namespace() + " describe pod "
                            + job.id() + "' shows what the pod waits for, if it is there.");
        }
    }

    private void copy(DetachedJob job, OutputStream to) throws IOException {
        try (InputStream log = cluster.ask(
                client -> cluster.pod(job.id()).inContainer(Template.WORKER).getLogInputStream())) {
            log.transferTo(to);
            to.flush();
        }
    }

    /** Reads until the run has ended. A connection may end earlier, because the API server or a proxy closes it. */
    private void follow(DetachedJob job, OutputStream to) throws IOException {
        // Asked first, because following a log hides the server's rejection.
        cluster.log(job.id(), 1);
        LogCopy copy = new LogCopy(to);
        while (true) {
            // Asked before the log is read, so that the last output is not missed.
            Pod pod = cluster.find(job.id());
            Throwable failure = read(job, copy);
            if (pod == null) {
                return;
            }
            if (state(pod, setting).end().isPresent()) {
                if (failure != null) {
                    throw noLog(
                            job,
                            "it broke off: " + failure + ". What can be read was printed; 'fiber logs " + job.run()
                                    + "' tries it again.");
                }
                return;
            }
            rest();
        }
    }

    /** Reads to the end of the connection. Returns why that was not the end of the log; null if it was. */
    private @Nullable Throwable read(DetachedJob job, LogCopy copy) throws IOException {
        String since = copy.resume().toString();
        try (LogWatch log = cluster.ask(client -> cluster.pod(job.id())
                .inContainer(Template.WORKER)
                .withReadyWaitTimeout(0)
                .usingTimestamps()
                .sinceTime(since)
                .watchLog(copy))) {
            Throwable failure =
                    cluster.ask(client -> log.onClose().toCompletableFuture().join());
            copy.check();
            return failure;
        }
    }

    private static void rest() {
        try {
            TimeUnit.MILLISECONDS.sleep(AGAIN_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BackendUnavailableException("Reading the log of a pod was interrupted.", e);
        }
    }

    @Override
    public void end(DetachedJob job, Ending ending) {
        try {
            if (ending == Ending.ASKED) {
                cluster.delete(job.id());
            } else {
                cluster.delete(job.id(), 1);
            }
            // A pod has its secret mounted; nothing else finds the secret once the pod is gone.
            cluster.deleteSecrets(Remains.labels(job.sessionId()));
        } catch (Refusal e) {
            throw refused(e);
        }
    }
}
