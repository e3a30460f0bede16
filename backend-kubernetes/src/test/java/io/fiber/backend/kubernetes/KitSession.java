// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import io.fabric8.kubernetes.api.model.Pod;
import io.fiber.spi.Environment;
import io.fiber.spi.Secret;
import io.fiber.spi.backend.Backend;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.JobTermination;
import io.fiber.spi.backend.Program;
import io.fiber.spi.backend.Submission;
import io.fiber.tck.cluster.JobRecord;
import io.fiber.tck.cluster.KitContext;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A backend on a real cluster with a session around it, and what its jobs told. */
final class KitSession implements AutoCloseable {

    private static final Duration LIMIT = Duration.ofMinutes(2);

    private final KitContext context;
    private final JobRecord record = new JobRecord(LIMIT);
    private final KitCluster cluster = new KitCluster();
    private final Backend backend;
    private int number;

    KitSession(Path directory, Map<String, String> values) {
        this(directory, values, Environment.system());
    }

    KitSession(Path directory, Map<String, String> values, Environment environment) {
        this.context = new KitContext("kitsession01", directory, KubernetesFixture.options(values), environment);
        this.backend = new KubernetesBackendProvider().create(context);
    }

    Job start(JobSpec.Builder spec) {
        Submission submission = submission(spec);
        number++;
        return backend.submit(submission, record).get(0);
    }

    Optional<String> preview(JobSpec.Builder spec) {
        return backend.preview(submission(spec));
    }

    private Submission submission(JobSpec.Builder spec) {
        return Submission.of(spec.build(), "job-" + number, Secret.of(new byte[] {1, 2, 3}));
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
        return record.awaitEnd(job);
    }

    String awaitRunning(Job job) {
        return record.awaitRunning(job);
    }

    /** Waits until a job waits, and returns why. */
    String awaitWaiting(Job job) {
        return record.awaitWaiting(job);
    }

    JobRecord record() {
        return record;
    }

    KitContext context() {
        return context;
    }

    KitCluster cluster() {
        return cluster;
    }

    Pod pod(Job job) {
        return cluster.pod(job.id());
    }

    @Override
    public void close() {
        backend.close();
        cluster.close();
    }
}
