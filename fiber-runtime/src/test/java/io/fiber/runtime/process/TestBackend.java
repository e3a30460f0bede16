// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.process;

import io.fiber.spi.CallerHost;
import io.fiber.spi.backend.Backend;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobListener;
import io.fiber.spi.backend.JobState;
import io.fiber.spi.backend.Submission;
import io.fiber.spi.backend.TooManyJobsException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Starts nothing and keeps the bootstraps, so that a test can be the job. */
final class TestBackend implements Backend {

    private @Nullable Error fault;
    private @Nullable Error jobFault;
    private final List<byte[]> bootstraps = new ArrayList<>();
    private final List<Integer> asked = new ArrayList<>();
    private int room = Integer.MAX_VALUE;

    private record NoJob(String name, @Nullable Error fault) implements Job {
        @Override
        public String id() {
            return name;
        }

        @Override
        public JobState state() {
            return JobState.RUNNING;
        }

        @Override
        public void cancel(Duration grace) {
            if (fault != null) {
                throw fault;
            }
        }

        @Override
        public List<String> logs(int lastLines) {
            if (fault != null) {
                throw fault;
            }
            return List.of();
        }
    }

    /** Has the methods of jobs throw from now on. */
    void jobsThrow(Error newFault) {
        jobFault = newFault;
    }

    /** Has {@link #submit} throw from now on. */
    void submitThrows(Error newFault) {
        fault = newFault;
    }

    /** Has {@link #submit} take no more than so many jobs from now on. */
    void hasRoomFor(int jobs) {
        room = jobs;
    }

    /** Returns for how many jobs each call of {@link #submit} has asked. */
    List<Integer> asked() {
        return asked;
    }

    void submitWorks() {
        fault = null;
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
        if (fault != null) {
            throw fault;
        }
        int count = submission.instances().size();
        asked.add(count);
        if (count > room) {
            throw new TooManyJobsException("No more than " + room + " of " + count + ".");
        }
        room -= count;
        List<Job> jobs = new ArrayList<>();
        for (Submission.Instance instance : submission.instances()) {
            bootstraps.add(instance.bootstrap().copyBytes());
            jobs.add(new NoJob(instance.name(), jobFault));
        }
        return jobs;
    }

    @Override
    public void close() {}
}
