// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.simulated;

import io.fiber.spi.CallerHost;
import io.fiber.spi.backend.Backend;
import io.fiber.spi.backend.BackendContext;
import io.fiber.spi.backend.BackendUnavailableException;
import io.fiber.spi.backend.DetachedJobs;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobListener;
import io.fiber.spi.backend.JobState;
import io.fiber.spi.backend.Leftover;
import io.fiber.spi.backend.Submission;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/** A session on a simulated platform. Thread-safe. */
public final class SimulatedBackend implements Backend {

    private final SimulatedPlatform platform;
    private final BackendContext context;
    private final Timeline timeline;
    private final List<SimulatedJob> jobs = new ArrayList<>();
    private boolean closed;
    private boolean handedOver;

    SimulatedBackend(SimulatedPlatform platform, BackendContext context) {
        this.platform = platform;
        this.context = context;
        this.timeline = platform.timeline(context.sessionId());
    }

    @Override
    public CallerHost callerHost() {
        return CallerHost.sameHost();
    }

    @Override
    public List<Job> submit(Submission submission, JobListener listener) {
        platform.awaitSpeed();
        return accepted(submission, listener);
    }

    private synchronized List<Job> accepted(Submission submission, JobListener listener) {
        if (closed) {
            throw new IllegalStateException(
                    "The simulated backend of session '" + context.sessionId() + "' is closed; open another one.");
        }
        submission.requireOffered(SimulatedBackendProvider.NAME, SimulatedBackendProvider.CAPABILITIES);
        platform.checkReachable("submit " + submission.instances().size() + " jobs");
        List<SimulatedJob> submitted = new ArrayList<>();
        for (Submission.Instance instance : submission.instances()) {
            JobPlan plan = platform.plan(submission.spec(), instance.name());
            SimulatedProcess process = new SimulatedProcess(submission.spec(), instance, context.directory(), platform);
            submitted.add(new SimulatedJob(
                    new SimulatedJob.Order(submission.spec(), context.sessionId(), instance.name(), plan, listener),
                    process,
                    platform,
                    timeline));
        }
        if (platform.losesAnswer()) {
            submitted.forEach(SimulatedBackend::takeBack);
            throw new BackendUnavailableException("The simulated platform has not answered whether it accepted "
                    + submitted.size() + " jobs; they were taken back. Submit them again.");
        }
        submitted.forEach(SimulatedJob::enqueue);
        jobs.addAll(submitted);
        return List.copyOf(submitted);
    }

    /** Ends a job before it starts; its session receives no event of it. */
    private static void takeBack(SimulatedJob job) {
        job.leave(() -> {});
        job.cancel(Duration.ZERO);
    }

    @Override
    public List<Leftover> leftovers() {
        Map<String, List<SimulatedJob>> sessions = platform.jobs().stream()
                .filter(SimulatedJob::isOfARun)
                .collect(Collectors.groupingBy(SimulatedJob::sessionId));
        return sessions.entrySet().stream()
                .filter(each -> each.getValue().stream()
                        .allMatch(job -> job.termination().isPresent()))
                .map(each -> new Leftover(each.getKey(), each.getValue().size() + " jobs", Optional.empty()))
                .toList();
    }

    @Override
    public void remove(Leftover leftover) {
        platform.jobs().stream()
                .filter(job -> job.isOfARun() && job.sessionId().equals(leftover.sessionId()))
                .forEach(platform::remove);
    }

    @Override
    public Optional<DetachedJobs> detachedJobs() {
        return Optional.of(new SimulatedRuns(platform, this::handOver));
    }

    private synchronized boolean handOver() {
        handedOver = jobs.stream().noneMatch(job -> job.state() == JobState.QUEUED);
        return handedOver;
    }

    @Override
    public void close() {
        boolean interrupted = Thread.interrupted();
        end();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void end() {
        List<SimulatedJob> toEnd;
        List<SimulatedJob> toLeave;
        synchronized (this) {
            closed = true;
            toLeave = jobs.stream().filter(job -> handedOver && job.isOfARun()).toList();
            jobs.removeAll(toLeave);
            toEnd = List.copyOf(jobs);
            jobs.clear();
        }
        toEnd.forEach(job -> job.cancel(Duration.ZERO));
        if (timeline instanceof VirtualTimeline virtual) {
            virtual.advance(Duration.ZERO);
        }
        for (SimulatedJob job : toEnd) {
            job.awaitEnd();
            job.tellWhatWasWithheld();
        }
        toEnd.forEach(platform::remove);
        if (toLeave.isEmpty()) {
            timeline.close();
            return;
        }
        AtomicInteger left = new AtomicInteger(toLeave.size());
        toLeave.forEach(job -> job.leave(() -> {
            if (left.decrementAndGet() == 0) {
                timeline.close();
            }
        }));
    }
}
