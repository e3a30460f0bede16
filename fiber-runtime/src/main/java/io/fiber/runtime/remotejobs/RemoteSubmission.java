// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.remotejobs;

import io.fiber.runtime.logging.Faults;
import io.fiber.runtime.logging.Logs;
import io.fiber.runtime.protocol.ProcessPath;
import io.fiber.runtime.rpc.Hosted;
import io.fiber.runtime.rpc.ObjectAddress;
import io.fiber.runtime.rpc.Reply;
import io.fiber.runtime.rpc.Request;
import io.fiber.runtime.rpc.ServiceCall;
import io.fiber.runtime.security.SealException;
import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobEvent;
import io.fiber.spi.backend.JobListener;
import io.fiber.spi.backend.JobRejectedException;
import io.fiber.spi.backend.Submission;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Jobs that were asked for together: the object of this process that the master tells of their events. What the master
 * says is read by the one thread of the backend; the rest is thread-safe.
 */
final class RemoteSubmission implements Hosted {

    private final RemoteJobBackend backend;
    private final ObjectAddress address;
    private final JobListener listener;
    private final List<RemoteJob> all = new ArrayList<>();
    private final CompletableFuture<List<Job>> jobs = new CompletableFuture<>();
    private int ended;

    /** Reads something that the master has said. */
    private interface Reading {
        void run() throws IOException, SealException;
    }

    /** Creates a submission, which will be hosted at this address. */
    RemoteSubmission(
            RemoteJobBackend backend,
            ObjectAddress address,
            List<Submission.Instance> instances,
            JobListener listener) {
        this.backend = backend;
        this.address = address;
        this.listener = listener;
        for (Submission.Instance instance : instances) {
            all.add(new RemoteJob(backend, address.object(), all.size(), instance.name()));
        }
    }

    ObjectAddress address() {
        return address;
    }

    /** Is completed with the jobs when they exist, or with what kept them from existing. */
    CompletableFuture<List<Job>> jobs() {
        return jobs;
    }

    @Override
    public void onCall(ServiceCall call) {
        throw new IllegalStateException("The process " + call.caller() + " has called what is only told of events.");
    }

    @Override
    public void onTell(ProcessPath from, Request request) {
        if (from.equals(backend.master().host()) && request.operation() == JobMessages.EVENT) {
            read(() -> onEvent(request));
        }
    }

    @Override
    public void onCallerGone(ProcessPath caller) {}

    /** The master has answered, or cannot. */
    void onReply(Reply reply) {
        read(() -> onSubmitted(reply));
    }

    private void read(Reading reading) {
        backend.reader().execute(() -> {
            try {
                reading.run();
            } catch (Throwable e) {
                Logs.of(RemoteSubmission.class)
                        .log(System.Logger.Level.ERROR, "What the master said about a job cannot be read.", e);
                Faults.fail(
                        jobs,
                        new BackendException("What the master said about jobs cannot be read: " + e.getMessage(), e));
            }
        });
    }

    private void onSubmitted(Reply reply) throws IOException, SealException {
        try {
            List<String> ids = backend.texts(reply, JobRejectedException::new);
            for (int i = 0; i < all.size(); i++) {
                all.get(i).named(ids.get(i));
            }
            jobs.complete(List.copyOf(all));
        } catch (BackendException refusal) {
            backend.forget(this);
            jobs.completeExceptionally(refusal);
        }
    }

    private void onEvent(Request told) throws IOException, SealException {
        RemoteJob job = all.get(Math.toIntExact(told.argument()));
        JobEvent event = JobMessages.readEvent(backend.open(told.body()), job);
        job.onEvent(event);
        try {
            listener.onEvent(event);
        } finally {
            if (event instanceof JobEvent.Ended && ++ended == all.size()) {
                backend.forget(this);
            }
        }
    }

    /** Cancels every job by force. */
    void cancel() {
        for (RemoteJob job : all) {
            job.cancel(Duration.ZERO);
        }
    }
}
