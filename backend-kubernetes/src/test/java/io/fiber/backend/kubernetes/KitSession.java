// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import io.fabric8.kubernetes.api.model.Pod;
import io.fiber.spi.Environment;
import io.fiber.spi.Options;
import io.fiber.spi.Secret;
import io.fiber.spi.backend.Backend;
import io.fiber.spi.backend.BackendContext;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobEvent;
import io.fiber.spi.backend.JobListener;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.JobTermination;
import io.fiber.spi.backend.Program;
import io.fiber.spi.backend.Reaper;
import io.fiber.spi.backend.Submission;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** A backend on a real cluster with a session around it, and what its jobs told. */
final class KitSession implements BackendContext, JobListener, AutoCloseable {

    private static final int LIMIT_SECONDS = 120;

    private final Path directory;
    private final Options options;
    private final Environment environment;
    private final Map<Job, CompletableFuture<JobTermination>> ends = new ConcurrentHashMap<>();
    private final Map<Job, CompletableFuture<String>> hosts = new ConcurrentHashMap<>();
    private final Map<Job, CompletableFuture<String>> reasons = new ConcurrentHashMap<>();
    private final KitCluster cluster = new KitCluster();
    private final Backend backend;
    private int number;

    KitSession(Path directory, Map<String, String> values) {
        this(directory, values, Environment.system());
    }

    KitSession(Path directory, Map<String, String> values, Environment environment) {
        this.directory = directory;
        this.options = KubernetesFixture.options(values);
        this.environment = environment;
        this.backend = new KubernetesBackendProvider().create(this);
    }

    Job start(JobSpec.Builder spec) {
        return backend.submit(Submission.of(spec.build(), "job-" + number++, Secret.of(new byte[] {1, 2, 3})), this)
                .get(0);
    }

    static JobSpec.Builder command(String... words) {
        return JobSpec.builder(new Program.Command(List.of(words)));
    }

    /** Returns a spec of a program of this package. */
    static JobSpec.Builder java(Class<?> main) {
        return JobSpec.builder(
                KubernetesFixture.java(main, KubernetesFixture.placeOf(main).toString()));
    }

    JobTermination awaitEnd(Job job) {
        return ends.computeIfAbsent(job, key -> new CompletableFuture<>())
                .orTimeout(LIMIT_SECONDS, TimeUnit.SECONDS)
                .join();
    }

    String awaitRunning(Job job) {
        return hosts.computeIfAbsent(job, key -> new CompletableFuture<>())
                .orTimeout(LIMIT_SECONDS, TimeUnit.SECONDS)
                .join();
    }

    /** Waits until a job waits, and returns why. */
    String awaitWaiting(Job job) {
        return reasons.computeIfAbsent(job, key -> new CompletableFuture<>())
                .orTimeout(LIMIT_SECONDS, TimeUnit.SECONDS)
                .join();
    }

    boolean isRunning(Job job) {
        return hosts.computeIfAbsent(job, key -> new CompletableFuture<>()).isDone();
    }

    boolean hasEnded(Job job) {
        return ends.computeIfAbsent(job, key -> new CompletableFuture<>()).isDone();
    }

    KitCluster cluster() {
        return cluster;
    }

    Pod pod(Job job) {
        return cluster.pod(job.id());
    }

    @Override
    public void onEvent(JobEvent event) {
        if (event instanceof JobEvent.Ended ended) {
            ends.computeIfAbsent(ended.job(), key -> new CompletableFuture<>()).complete(ended.termination());
        } else if (event instanceof JobEvent.Waiting waiting) {
            reasons.computeIfAbsent(waiting.job(), key -> new CompletableFuture<>())
                    .complete(waiting.reason());
        } else if (event instanceof JobEvent.Running running) {
            hosts.computeIfAbsent(running.job(), key -> new CompletableFuture<>())
                    .complete(running.host());
        }
    }

    @Override
    public String sessionId() {
        return "kitsession01";
    }

    @Override
    public Path directory() {
        return directory;
    }

    @Override
    public Options options() {
        return options;
    }

    @Override
    public Environment environment() {
        return environment;
    }

    @Override
    public Reaper reaper() {
        return command -> () -> {};
    }

    @Override
    public void close() {
        backend.close();
        cluster.close();
    }
}
