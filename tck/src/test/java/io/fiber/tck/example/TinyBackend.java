// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.example;

import io.fiber.spi.CallerHost;
import io.fiber.spi.backend.Backend;
import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobListener;
import io.fiber.spi.backend.JobRejectedException;
import io.fiber.spi.backend.Submission;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** A job is a child process. */
final class TinyBackend implements Backend {

    private final List<TinyJob> jobs = new ArrayList<>();
    private boolean closed;

    @Override
    public CallerHost callerHost() {
        return CallerHost.sameHost();
    }

    @Override
    public synchronized List<Job> submit(Submission submission, JobListener listener) {
        if (closed) {
            throw new BackendException("The backend is closed; open another one.");
        }
        submission.requireOffered("tiny", Set.of());
        List<TinyJob> started = new ArrayList<>();
        try {
            for (Submission.Instance instance : submission.instances()) {
                started.add(TinyJob.start(submission.spec(), instance, listener));
            }
        } catch (IOException e) {
            started.forEach(job -> job.cancel(Duration.ZERO));
            throw new JobRejectedException("The program cannot be started: " + e.getMessage(), e);
        }
        jobs.addAll(started);
        return List.copyOf(started);
    }

    @Override
    public synchronized void close() {
        closed = true;
        jobs.forEach(job -> job.cancel(Duration.ZERO));
        boolean interrupted = Thread.interrupted();
        jobs.forEach(TinyJob::join);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        jobs.clear();
    }
}
