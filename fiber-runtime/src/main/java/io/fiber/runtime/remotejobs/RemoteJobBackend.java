// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.remotejobs;

import static java.util.Objects.requireNonNull;

import io.fiber.WaitInterruptedException;
import io.fiber.runtime.logging.Faults;
import io.fiber.runtime.logging.Logs;
import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.protocol.ProcessPath;
import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.runtime.rpc.Hosted;
import io.fiber.runtime.rpc.ObjectAddress;
import io.fiber.runtime.rpc.Reply;
import io.fiber.runtime.rpc.Request;
import io.fiber.runtime.rpc.RpcRouter;
import io.fiber.runtime.rpc.ServiceCall;
import io.fiber.runtime.security.SealException;
import io.fiber.spi.CallerHost;
import io.fiber.spi.backend.Backend;
import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.BackendUnavailableException;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobEvent;
import io.fiber.spi.backend.JobListener;
import io.fiber.spi.backend.JobOutput;
import io.fiber.spi.backend.JobRejectedException;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.Submission;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * The backend of a worker's session: it asks the {@link RemoteJobServer} of the worker's master for jobs. Thread-safe.
 * {@link #submit} blocks until the master has answered.
 *
 * <p>Listeners are called by one thread of this backend, which also opens what the master sent, so that the conductor
 * never does.
 */
public final class RemoteJobBackend implements Backend {

    private static final long CLOSE_LIMIT_NS = TimeUnit.SECONDS.toNanos(8);
    private static final Duration LOGS_LIMIT = Duration.ofSeconds(30);
    private static final long READER_IDLE_SECONDS = 5;

    private final RpcRouter router;
    private final ObjectAddress master;
    private final CallerHost callerHost;
    /** The thread that reads what the master says. */
    private final ThreadPoolExecutor reader;

    private final Object lock = new Object();
    /** What was asked for and has a job that has not ended; guarded by the lock. */
    private final Set<RemoteSubmission> pending = new HashSet<>();

    private volatile boolean closed;

    /**
     * Jobs that were asked for together: the object of this process that the master tells of their events. What the
     * master says is read by the one thread of the backend; the rest is thread-safe.
     */
    private final class RemoteSubmission implements Hosted {
        final ObjectAddress address = router.reserve();
        /** Is completed with the jobs when they exist, or with what kept them from existing. */
        final CompletableFuture<List<Job>> jobs = new CompletableFuture<>();

        private final JobListener listener;
        private final List<RemoteJob> all = new ArrayList<>();
        private int ended;

        RemoteSubmission(List<Submission.Instance> instances, JobListener listener) {
            this.listener = listener;
            for (Submission.Instance instance : instances) {
                all.add(new RemoteJob(RemoteJobBackend.this, address.object(), all.size(), instance.name()));
            }
        }

        @Override
        public void onCall(ServiceCall call) {
            throw new IllegalStateException(
                    "The process " + call.caller() + " has called what is only told of events.");
        }

        @Override
        public void onTell(ProcessPath from, Request request) {
            if (from.equals(master.host()) && request.operation() == JobMessages.EVENT) {
                read(() -> onEvent(request));
            }
        }

        /** The master has answered, or cannot. */
        void onReply(Reply reply) {
            read(() -> onSubmitted(reply));
        }

        private void read(Reading reading) {
            reader.execute(() -> {
                try {
                    reading.run();
                } catch (Throwable e) {
                    Logs.of(RemoteJobBackend.class)
                            .log(System.Logger.Level.ERROR, "What the master said about a job cannot be read.", e);
                    Faults.fail(
                            jobs,
                            new BackendException(
                                    "What the master said about jobs cannot be read: " + e.getMessage(), e));
                }
            });
        }

        private void onSubmitted(Reply reply) throws IOException, SealException {
            try {
                List<String> ids = texts(reply, JobRejectedException::new);
                for (int i = 0; i < all.size(); i++) {
                    all.get(i).named(ids.get(i));
                }
                jobs.complete(List.copyOf(all));
            } catch (BackendException refusal) {
                forget(this);
                jobs.completeExceptionally(refusal);
            }
        }

        private void onEvent(Request told) throws IOException, SealException {
            RemoteJob job = all.get(Math.toIntExact(told.argument()));
            JobEvent event = JobMessages.readEvent(router.seals().open(told.body()), job);
            job.onEvent(event);
            try {
                listener.onEvent(event);
            } finally {
                if (event instanceof JobEvent.Ended && ++ended == all.size()) {
                    forget(this);
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

    /** Reads something that the master has said. */
    private interface Reading {
        void run() throws IOException, SealException;
    }

    /**
     * Creates the backend of a worker.
     *
     * @param object the number of the master's {@link RemoteJobServer}
     * @param callerHost how this worker's own workers reach it
     */
    public RemoteJobBackend(RpcRouter router, long object, CallerHost callerHost) {
        this.router = router;
        this.master = router.atMaster(object);
        this.callerHost = callerHost;
        reader = new ThreadPoolExecutor(
                1, 1, READER_IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                    Thread thread = new Thread(task, "fiber-remote-jobs");
                    thread.setDaemon(true);
                    return thread;
                });
        reader.allowCoreThreadTimeOut(true);
        reader.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy());
    }

    @Override
    public CallerHost callerHost() {
        return callerHost;
    }

    @Override
    public List<Job> submit(Submission submission, JobListener listener) {
        requireNonNull(listener, "listener");
        requireRelayable(submission.spec());
        SealedPayload payload = router.seals().close(RemoteJobRequest.encode(submission));
        RemoteSubmission asked = new RemoteSubmission(submission.instances(), listener);
        synchronized (lock) {
            if (closed) {
                throw new IllegalStateException("The backend of this worker is closed; it takes no more jobs.");
            }
            pending.add(asked);
        }
        long number = asked.address.object();
        router.host(number, asked);
        router.call(master, new Request(JobMessages.SUBMIT, number, payload), asked::onReply);
        return await(asked);
    }

    private List<Job> await(RemoteSubmission asked) {
        try {
            return asked.jobs.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            asked.cancel();
            throw new BackendUnavailableException("Interrupted while the master was asked for jobs.", e);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException refusal ? refusal : new IllegalStateException(e.getCause());
        }
    }

    private static void requireRelayable(JobSpec spec) {
        if (!(spec.output() instanceof JobOutput.None)) {
            throw new JobRejectedException(
                    "A worker asks its master for jobs, and the master says where their output goes; the"
                            + " spec says it: " + spec + ". Set it where the first session is opened.");
        }
    }

    /**
     * Returns the texts of an answer.
     *
     * @param refusal makes an exception of what the master says when what was asked for cannot be had
     * @throws BackendUnavailableException when asking again may help
     */
    private List<String> texts(Reply reply, Function<String, RuntimeException> refusal)
            throws IOException, SealException {
        if (reply instanceof Reply.Answer answer) {
            List<String> texts = JobMessages.readTexts(router.seals().open(answer.payload()));
            if (answer.argument() == JobMessages.TEXTS) {
                return texts;
            }
            String why = texts.get(0);
            throw answer.argument() == JobMessages.UNAVAILABLE
                    ? new BackendUnavailableException(why)
                    : refusal.apply(why);
        }
        throw new BackendUnavailableException("The master of this worker cannot be asked for jobs any more: "
                + (reply instanceof Reply.Lost lost ? lost.reason().text() : reply));
    }

    /** Asks for what a job wrote last, and waits for the answer. */
    List<String> logs(long number, Payload aboutJob) {
        if (closed) {
            throw new BackendUnavailableException("The session of this worker is closed; its master is not asked.");
        }
        Request request = new Request(JobMessages.LOGS, number, router.seals().close(aboutJob));
        try {
            Reply reply = router.await(master, request, LOGS_LIMIT, "the last lines of a job");
            if (reply instanceof Reply.Abandoned) {
                throw new BackendUnavailableException(
                        "The master has not told the lines of a job within " + LOGS_LIMIT.toSeconds() + " s.");
            }
            return texts(reply, UnsupportedOperationException::new);
        } catch (WaitInterruptedException e) {
            throw new BackendUnavailableException("Interrupted while the master was asked for lines.", e);
        } catch (SealException | IOException e) {
            throw new BackendUnavailableException(
                    "What the master said about a job cannot be read: " + e.getMessage(), e);
        }
    }

    void tell(int operation, long number, Payload body) {
        router.tell(master, new Request(operation, number, router.seals().close(body)));
    }

    private void forget(RemoteSubmission asked) {
        router.withdraw(asked.address);
        synchronized (lock) {
            pending.remove(asked);
            lock.notifyAll();
        }
    }

    @Override
    public void close() {
        List<RemoteSubmission> open;
        synchronized (lock) {
            if (closed) {
                return;
            }
            closed = true;
            open = List.copyOf(pending);
        }
        open.forEach(RemoteSubmission::cancel);
        if (!open.isEmpty() && router.conductor().execute(() -> {})) {
            awaitEnds();
        }
        BackendUnavailableException end = new BackendUnavailableException("The session of this worker was closed.");
        for (RemoteSubmission asked : open) {
            asked.jobs.completeExceptionally(end);
            forget(asked);
        }
        reader.shutdownNow();
    }

    private void awaitEnds() {
        long deadlineNs = System.nanoTime() + CLOSE_LIMIT_NS;
        synchronized (lock) {
            try {
                for (long leftNs = CLOSE_LIMIT_NS;
                        leftNs > 0 && !pending.isEmpty();
                        leftNs = deadlineNs - System.nanoTime()) {
                    TimeUnit.NANOSECONDS.timedWait(lock, leftNs);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
