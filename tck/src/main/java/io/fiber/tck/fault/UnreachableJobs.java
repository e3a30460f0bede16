// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.fault;

import static java.util.Objects.requireNonNull;

import io.fiber.spi.CallerHost;
import io.fiber.spi.Environment;
import io.fiber.spi.Probe;
import io.fiber.spi.SpiVersion;
import io.fiber.spi.backend.Backend;
import io.fiber.spi.backend.BackendContext;
import io.fiber.spi.backend.BackendProvider;
import io.fiber.spi.backend.Capability;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobEvent;
import io.fiber.spi.backend.JobListener;
import io.fiber.spi.backend.JobState;
import io.fiber.spi.backend.Submission;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Predicate;

/**
 * A backend whose platform cannot reach some of its jobs. Cancelling does not end them, so a test can see whether they
 * end by themselves. Closing the backend still ends them. Thread-safe.
 */
public final class UnreachableJobs implements BackendProvider {

    private final BackendProvider backends;
    private final Predicate<Job> isReached;

    /**
     * Creates the backend.
     *
     * @param backends creates the backend that runs the jobs
     * @param isReached returns whether a cancellation reaches a job; called by any thread
     */
    public UnreachableJobs(BackendProvider backends, Predicate<Job> isReached) {
        this.backends = requireNonNull(backends, "backends");
        this.isReached = requireNonNull(isReached, "isReached");
    }

    @Override
    public String name() {
        return "unreachable";
    }

    @Override
    public int spiVersion() {
        return SpiVersion.CURRENT;
    }

    @Override
    public Probe probe(Environment environment) {
        return backends.probe(environment);
    }

    @Override
    public Set<Capability> capabilities() {
        return backends.capabilities();
    }

    @Override
    public Backend create(BackendContext context) {
        return new Unreachable(backends.create(context));
    }

    private final class Unreachable implements Backend {
        private final Backend backend;

        Unreachable(Backend backend) {
            this.backend = backend;
        }

        @Override
        public CallerHost callerHost() {
            return backend.callerHost();
        }

        @Override
        public boolean isOneHost() {
            return backend.isOneHost();
        }

        @Override
        public OptionalInt slots() {
            return backend.slots();
        }

        @Override
        public List<Job> submit(Submission submission, JobListener listener) {
            return backend.submit(submission, event -> listener.onEvent(of(event))).stream()
                    .<Job>map(Distant::new)
                    .toList();
        }

        @Override
        public Optional<String> preview(Submission submission) {
            return backend.preview(submission);
        }

        @Override
        public void close() {
            backend.close();
        }
    }

    private JobEvent of(JobEvent event) {
        Job job = new Distant(event.job());
        if (event instanceof JobEvent.Waiting waiting) {
            return new JobEvent.Waiting(job, waiting.reason());
        }
        if (event instanceof JobEvent.Running running) {
            return new JobEvent.Running(job, running.host());
        }
        if (event instanceof JobEvent.Preempting preempting) {
            return new JobEvent.Preempting(job, preempting.reason());
        }
        return new JobEvent.Ended(job, ((JobEvent.Ended) event).termination());
    }

    /** A job that may be out of reach. */
    private final class Distant implements Job {
        private final Job job;

        Distant(Job job) {
            this.job = job;
        }

        @Override
        public String name() {
            return job.name();
        }

        @Override
        public String id() {
            return job.id();
        }

        @Override
        public JobState state() {
            return job.state();
        }

        @Override
        public void cancel(Duration grace) {
            if (isReached.test(job)) {
                job.cancel(grace);
            }
        }

        @Override
        public List<String> logs(int lastLines) {
            return job.logs(lastLines);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Distant distant && distant.job.equals(job);
        }

        @Override
        public int hashCode() {
            return job.hashCode();
        }
    }
}
