// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.process;

import io.fiber.spi.backend.Backend;
import io.fiber.spi.backend.CallerHost;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobListener;
import io.fiber.spi.backend.JobState;
import io.fiber.spi.backend.Submission;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Starts nothing and keeps the bootstraps, so that a test can be the job. */
final class TestBackend implements Backend {

    private final List<byte[]> bootstraps = new ArrayList<>();

    private record NoJob(String name) implements Job {
        @Override
        public String id() {
            return name;
        }

        @Override
        public JobState state() {
            return JobState.RUNNING;
        }

        @Override
        public void cancel(Duration grace) {}

        @Override
        public List<String> logs(int lastLines) {
            return List.of();
        }
    }

    byte[] lastBootstrap() {
        return bootstraps.get(bootstraps.size() - 1);
    }

    @Override
    public CallerHost callerHost() {
        return CallerHost.sameHost();
    }

    @Override
    public List<Job> submit(Submission submission, JobListener listener) {
        List<Job> jobs = new ArrayList<>();
        for (Submission.Instance instance : submission.instances()) {
            bootstraps.add(instance.bootstrap().copyBytes());
            jobs.add(new NoJob(instance.name()));
        }
        return jobs;
    }

    @Override
    public void close() {}
}
