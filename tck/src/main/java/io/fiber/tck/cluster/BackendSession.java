// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.cluster;

import static java.util.Objects.requireNonNull;

import io.fiber.spec.Secret;
import io.fiber.spi.backend.Backend;
import io.fiber.spi.backend.BackendContext;
import io.fiber.spi.backend.DetachedJobs;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.JobTermination;
import io.fiber.spi.backend.Program;
import io.fiber.spi.backend.Submission;
import io.fiber.tck.backend.BackendFixture;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * A backend with a session around it and the events of its jobs, for tests of platform features outside the contract.
 * Jobs are named {@code job-0}, {@code job-1} and so on, and have some bytes as their secret. Not thread-safe.
 */
public class BackendSession implements AutoCloseable {

    private static final byte[] SECRET = {1, 2, 3};

    private final BackendContext context;
    private final Backend backend;
    private final JobRecord record;
    private int number;

    /**
     * Creates it.
     *
     * @param backend a backend opened for the context; {@link #close} closes it
     * @param limit how long to wait for an event of a job
     */
    public BackendSession(BackendContext context, Backend backend, Duration limit) {
        this.context = requireNonNull(context, "context");
        this.backend = requireNonNull(backend, "backend");
        this.record = new JobRecord(limit);
    }

    /** Returns a spec of a command. */
    public static JobSpec.Builder command(String... words) {
        return JobSpec.builder(new Program.Command(List.of(words)));
    }

    /** Returns a spec of a Java program, whose class path is the location of its class on this host. */
    public static JobSpec.Builder java(Class<?> main) {
        return BackendFixture.javaJob(List.of(BackendFixture.placeOf(main)), main);
    }

    /** Submits a job. */
    public final Job start(JobSpec.Builder spec) {
        return start(spec, 1).get(0);
    }

    /** Submits jobs with one submission. */
    public final List<Job> start(JobSpec.Builder spec, int count) {
        Submission submission = submission(spec, count);
        number += count;
        return backend.submit(submission, record);
    }

    /** Returns the {@link Backend#preview} of the next job. */
    public final Optional<String> preview(JobSpec.Builder spec) {
        return backend.preview(submission(spec, 1));
    }

    private Submission submission(JobSpec.Builder spec, int count) {
        return new Submission(
                spec.build(),
                IntStream.range(number, number + count)
                        .mapToObj(each -> new Submission.Instance("job-" + each, Secret.of(SECRET)))
                        .toList());
    }

    /** Waits until a job has ended, and returns how. */
    public final JobTermination awaitEnd(Job job) {
        return record.awaitEnd(job);
    }

    /** Waits until a job runs, and returns its host. */
    public final String awaitRunning(Job job) {
        return record.awaitRunning(job);
    }

    /** Returns the events of the jobs. */
    public final JobRecord record() {
        return record;
    }

    /** Returns the context for which the backend was opened. */
    public final BackendContext context() {
        return context;
    }

    /** Returns the jobs that the platform keeps. */
    public final DetachedJobs detachedJobs() {
        return backend.detachedJobs().orElseThrow();
    }

    /** Closes the backend. */
    @Override
    public void close() {
        backend.close();
    }
}
