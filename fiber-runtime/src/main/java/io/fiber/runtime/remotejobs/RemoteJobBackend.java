// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.remotejobs;

import static java.util.Objects.requireNonNull;

import io.fiber.WaitInterruptedException;
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
import io.fiber.spi.backend.TooManyJobsException;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The backend of a worker's session, which requests jobs from the {@link RemoteJobServer} of the worker's master.
 * {@link #submit} blocks until the master has answered. Thread-safe.
 *
 * <p>One thread of this backend calls the listeners. It also opens the events that the master sent, so that the
 * conductor never does.
 */
public final class RemoteJobBackend implements Backend {

    private static final long CLOSE_LIMIT_NS = TimeUnit.SECONDS.toNanos(8);
    private static final Duration LOGS_LIMIT = Duration.ofSeconds(30);
    private static final long READER_IDLE_SECONDS = 5;

    private final RpcRouter router;
    private final ObjectAddress master;
    private final CallerHost callerHost;
    /** The thread that reads events and passes them on. */
    private final ThreadPoolExecutor reader;
    /** The object to which the master sends events. */
    private final ObjectAddress events;

    private final Object lock = new Object();
    /** Requested jobs that have not ended, by name; guarded by the lock. */
    private final Map<String, RemoteJob> live = new HashMap<>();

    private volatile boolean closed;
    /** Cancelled when replies are no longer awaited. */
    private final CompletableFuture<Reply> end = new CompletableFuture<>();

    private final class Events implements Hosted {
        @Override
        public void onCall(ServiceCall call) {
            throw new IllegalStateException(
                    "The process " + call.caller() + " has called an object that only receives events.");
        }

        @Override
        public void onTell(ProcessPath from, Request request) {
            if (from.equals(master.host()) && request.operation() == JobMessages.EVENT) {
                reader.execute(() -> onEvent(request.body()));
            }
        }
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
        events = router.host(new Events());
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
        List<RemoteJob> jobs = submission.instances().stream()
                .map(instance -> new RemoteJob(this, instance.name(), listener))
                .toList();
        CompletableFuture<Reply> reply = new CompletableFuture<>();
        synchronized (lock) {
            if (closed) {
                throw new IllegalStateException("The backend of this worker is closed; it takes no more jobs.");
            }
            jobs.forEach(job -> live.put(job.name(), job));
        }
        router.call(master, new Request(JobMessages.SUBMIT, events.object(), payload), heard -> {
            if (!(heard instanceof Reply.Answer answer && answer.argument() == JobMessages.TEXTS)) {
                forget(jobs);
            }
            reply.complete(heard);
        });
        if (closed) {
            // The cancellations of close() may have left before.
            jobs.forEach(job -> job.cancel(Duration.ZERO));
        }
        return await(reply, jobs);
    }

    private List<Job> await(CompletableFuture<Reply> reply, List<RemoteJob> jobs) {
        try {
            List<String> ids = texts(reply.applyToEither(end, heard -> heard).get(), JobRejectedException::new);
            for (int i = 0; i < jobs.size(); i++) {
                jobs.get(i).named(ids.get(i));
            }
            return List.copyOf(jobs);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            jobs.forEach(job -> job.cancel(Duration.ZERO));
            throw new BackendUnavailableException("Interrupted while the master was asked for jobs.", e);
        } catch (ExecutionException e) {
            throw new BackendUnavailableException("The session of this worker was closed.", e);
        } catch (SealException | IOException e) {
            throw new BackendException("The master's message about jobs cannot be read: " + e.getMessage(), e);
        }
    }

    private static void requireRelayable(JobSpec spec) {
        if (!(spec.output() instanceof JobOutput.None)) {
            throw new JobRejectedException(
                    "The master of a worker decides where the output of the worker's jobs goes, but the spec sets it:"
                            + " " + spec + ". Set it where the first session is opened.");
        }
    }

    /**
     * Returns the texts of an answer.
     *
     * @param refusal creates an exception from the master's message if the request was rejected
     * @throws BackendUnavailableException if trying again may help
     */
    private List<String> texts(Reply reply, Function<String, RuntimeException> refusal)
            throws IOException, SealException {
        if (reply instanceof Reply.Answer answer) {
            List<String> texts = JobMessages.readTexts(router.seals().open(answer.payload()));
            if (answer.argument() == JobMessages.TEXTS) {
                return texts;
            }
            String why = texts.get(0);
            throw switch ((int) answer.argument()) {
                case JobMessages.UNAVAILABLE -> new BackendUnavailableException(why);
                case JobMessages.TOO_MANY -> new TooManyJobsException(why);
                default -> refusal.apply(why);
            };
        }
        throw new BackendUnavailableException("The master of this worker can no longer be asked for jobs: "
                + (reply instanceof Reply.Lost lost ? lost.reason().text() : reply));
    }

    /** Requests the last lines of a job, and waits for the answer. */
    List<String> logs(String name, int lastLines) {
        if (closed) {
            throw new BackendUnavailableException("The session of this worker is closed; its master is not asked.");
        }
        Request request = aboutJob(JobMessages.LOGS, name, lastLines);
        try {
            Reply reply = router.await(master, request, LOGS_LIMIT, "the last lines of a job");
            if (reply instanceof Reply.Abandoned) {
                throw new BackendUnavailableException(
                        "The master did not send the last lines of a job within " + LOGS_LIMIT.toSeconds() + " s.");
            }
            return texts(reply, UnsupportedOperationException::new);
        } catch (WaitInterruptedException e) {
            throw new BackendUnavailableException("Interrupted while the master was asked for lines.", e);
        } catch (SealException | IOException e) {
            throw new BackendUnavailableException(
                    "The master's message about a job cannot be read: " + e.getMessage(), e);
        }
    }

    void cancel(String name, long graceMs) {
        router.tell(master, aboutJob(JobMessages.CANCEL, name, graceMs));
    }

    private Request aboutJob(int operation, String name, long number) {
        Payload body = JobMessages.texts(List.of(name, Long.toString(number)));
        return Request.of(operation, router.seals().close(body));
    }

    private void onEvent(SealedPayload body) {
        try {
            List<String> told = JobMessages.readTexts(router.seals().open(body));
            RemoteJob job = job(told.get(0));
            if (job != null) {
                tell(job, JobMessages.readEvent(told, job));
            }
        } catch (Throwable e) {
            Logs.of(RemoteJobBackend.class)
                    .log(System.Logger.Level.ERROR, "The master's message about a job cannot be read.", e);
        }
    }

    private void tell(RemoteJob job, JobEvent event) {
        try {
            job.onEvent(event);
        } finally {
            if (event instanceof JobEvent.Ended) {
                forget(List.of(job));
            }
        }
    }

    private @Nullable RemoteJob job(String name) {
        synchronized (lock) {
            return live.get(name);
        }
    }

    private void forget(List<RemoteJob> over) {
        synchronized (lock) {
            over.forEach(job -> live.remove(job.name(), job));
            lock.notifyAll();
        }
    }

    @Override
    public void close() {
        List<RemoteJob> open;
        synchronized (lock) {
            if (closed) {
                return;
            }
            closed = true;
            open = List.copyOf(live.values());
        }
        open.forEach(job -> job.cancel(Duration.ZERO));
        if (!open.isEmpty() && router.conductor().execute(() -> {})) {
            awaitEnds();
        }
        router.withdraw(events);
        end.cancel(false);
        reader.shutdownNow();
    }

    private void awaitEnds() {
        long deadlineNs = System.nanoTime() + CLOSE_LIMIT_NS;
        synchronized (lock) {
            try {
                for (long leftNs = CLOSE_LIMIT_NS;
                        leftNs > 0 && !live.isEmpty();
                        leftNs = deadlineNs - System.nanoTime()) {
                    TimeUnit.NANOSECONDS.timedWait(lock, leftNs);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
