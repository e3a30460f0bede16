// SPDX-License-Identifier: Apache-2.0
package io.fiber.page;

import io.fiber.spi.CallerHost;
import io.fiber.spi.Environment;
import io.fiber.spi.Probe;
import io.fiber.spi.SpiVersion;
import io.fiber.spi.backend.Backend;
import io.fiber.spi.backend.BackendContext;
import io.fiber.spi.backend.BackendProvider;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobEvent;
import io.fiber.spi.backend.JobListener;
import io.fiber.spi.backend.JobState;
import io.fiber.spi.backend.JobTermination;
import io.fiber.spi.backend.Submission;
import java.time.Duration;
import java.util.List;

/** A platform without room: its jobs wait until they are cancelled, and it says why. */
final class FullPlatform implements BackendProvider {

    private final String reason;

    FullPlatform(String reason) {
        this.reason = reason;
    }

    @Override
    public String name() {
        return "full";
    }

    @Override
    public int spiVersion() {
        return SpiVersion.CURRENT;
    }

    @Override
    public Probe probe(Environment environment) {
        return new Probe.Usable("this is a test");
    }

    @Override
    public Backend create(BackendContext context) {
        return new Backend() {
            @Override
            public CallerHost callerHost() {
                return CallerHost.sameHost();
            }

            @Override
            public List<Job> submit(Submission submission, JobListener listener) {
                List<Job> jobs = submission.instances().stream()
                        .<Job>map(instance -> new WaitingJob(instance.name(), listener))
                        .toList();
                jobs.forEach(job -> listener.onEvent(new JobEvent.Waiting(job, reason)));
                return jobs;
            }

            @Override
            public void close() {}
        };
    }

    /** A job that waits for ever. */
    private record WaitingJob(String name, JobListener listener) implements Job {
        @Override
        public String id() {
            return name;
        }

        @Override
        public JobState state() {
            return JobState.QUEUED;
        }

        @Override
        public void cancel(Duration grace) {
            listener.onEvent(new JobEvent.Ended(this, JobTermination.cancelled()));
        }

        @Override
        public List<String> logs(int lastLines) {
            return List.of();
        }
    }
}
