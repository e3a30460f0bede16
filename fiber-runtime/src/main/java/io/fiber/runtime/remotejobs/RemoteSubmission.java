// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.remotejobs;

import io.fiber.runtime.protocol.Messages;
import io.fiber.spi.backend.BackendUnavailableException;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobEvent;
import io.fiber.spi.backend.JobListener;
import io.fiber.spi.backend.JobRejectedException;
import io.fiber.spi.backend.Submission;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Jobs that were asked for together. Answers come by one thread; the rest is thread-safe. */
final class RemoteSubmission {

    private final RemoteJobBackend backend;
    private final long request;
    private final JobListener listener;
    private final List<RemoteJob> all = new ArrayList<>();
    private final CompletableFuture<List<Job>> jobs = new CompletableFuture<>();
    private int ended;

    RemoteSubmission(
            RemoteJobBackend backend, long request, List<Submission.Instance> instances, JobListener listener) {
        this.backend = backend;
        this.request = request;
        this.listener = listener;
        for (Submission.Instance instance : instances) {
            all.add(new RemoteJob(this, all.size(), instance.name()));
        }
    }

    long request() {
        return request;
    }

    /** Is completed with the jobs when they exist, or with what kept them from existing. */
    CompletableFuture<List<Job>> jobs() {
        return jobs;
    }

    void onAnswer(RemoteJobReply answer) {
        if (answer instanceof RemoteJobReply.Submitted submitted) {
            for (int i = 0; i < all.size(); i++) {
                all.get(i).named(submitted.ids().get(i));
            }
            jobs.complete(List.copyOf(all));
        } else if (answer instanceof RemoteJobReply.Refused refused) {
            backend.forget(this);
            jobs.completeExceptionally(
                    refused.sort() == RemoteJobReply.Sort.TRANSIENT
                            ? new BackendUnavailableException(refused.text())
                            : new JobRejectedException(refused.text()));
        } else if (answer instanceof RemoteJobReply.Happened happened) {
            onNews(all.get(happened.index()), happened);
        }
    }

    private void onNews(RemoteJob job, RemoteJobReply.Happened happened) {
        job.named(happened.id());
        JobEvent event = event(job, happened.news());
        job.onEvent(event);
        try {
            listener.onEvent(event);
        } finally {
            if (event instanceof JobEvent.Ended && ++ended == all.size()) {
                jobs.complete(List.copyOf(all));
                backend.forget(this);
            }
        }
    }

    private static JobEvent event(Job job, RemoteJobReply.News news) {
        if (news instanceof RemoteJobReply.News.Waiting waiting) {
            return new JobEvent.Waiting(job, waiting.reason());
        } else if (news instanceof RemoteJobReply.News.Running running) {
            return new JobEvent.Running(job, running.host());
        } else if (news instanceof RemoteJobReply.News.Preempting preempting) {
            return new JobEvent.Preempting(job, preempting.reason());
        } else if (news instanceof RemoteJobReply.News.Ended end) {
            return new JobEvent.Ended(job, end.termination());
        }
        throw new IllegalStateException("There is no event of " + news + ".");
    }

    boolean cancel(int index, Duration grace) {
        return backend.send(Messages.jobCancel(request, index, saturatedMs(grace)));
    }

    /** Cancels every job by force; false when the master cannot be told. */
    boolean cancel() {
        boolean told = true;
        for (int i = 0; i < all.size(); i++) {
            told &= cancel(i, Duration.ZERO);
        }
        return told;
    }

    List<String> logs(int index, int lastLines) {
        return backend.logs(request, index, lastLines);
    }

    /** A grace of less than a millisecond is not none. */
    private static long saturatedMs(Duration grace) {
        try {
            long ms = grace.toMillis();
            return ms == 0 && !grace.isZero() ? 1 : ms;
        } catch (ArithmeticException e) {
            return Long.MAX_VALUE;
        }
    }
}
