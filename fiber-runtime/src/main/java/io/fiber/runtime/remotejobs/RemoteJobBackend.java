// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.remotejobs;

import static java.util.Objects.requireNonNull;

import io.fiber.runtime.logging.Logs;
import io.fiber.runtime.protocol.Message;
import io.fiber.runtime.protocol.Messages;
import io.fiber.runtime.protocol.Outgoing;
import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.runtime.protocol.codec.JobEventDecoder;
import io.fiber.runtime.security.SealException;
import io.fiber.runtime.security.Seals;
import io.fiber.spi.backend.Backend;
import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.BackendUnavailableException;
import io.fiber.spi.backend.CallerHost;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobListener;
import io.fiber.spi.backend.JobRejectedException;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.Submission;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/**
 * The backend of a worker's session: it asks the worker's master for jobs, by the link that the worker has anyway.
 * Thread-safe. {@link #submit} blocks until the master has answered.
 *
 * <p>Listeners are called by one thread of this backend, which also opens what the master sent, so that the conductor
 * never does.
 */
public final class RemoteJobBackend implements Backend {

    private static final long CLOSE_LIMIT_NS = TimeUnit.SECONDS.toNanos(8);
    private static final long LOGS_LIMIT_SECONDS = 30;
    private static final long READER_IDLE_SECONDS = 5;

    /**
     * The way to the master.
     *
     * @param sender sends a message after all that were sent before; false when this process ends and nothing leaves it
     * @param seals seals payloads for the master and opens those from it
     * @param callerHost how this worker's own workers reach it
     * @param numbers counts what this worker has asked for, in all sessions that it has had
     */
    public record UpLink(Predicate<Outgoing> sender, Seals seals, CallerHost callerHost, AtomicLong numbers) {}

    private final UpLink upLink;
    private final Map<Long, CompletableFuture<List<String>>> questions = new ConcurrentHashMap<>();
    private final ThreadPoolExecutor reader;
    private final Object lock = new Object();
    /** What was asked for and has a job that has not ended; guarded by the lock. */
    private final Map<Long, RemoteSubmission> pending = new HashMap<>();

    private boolean closed;

    /** Creates the backend of a worker. */
    public RemoteJobBackend(UpLink upLink) {
        this.upLink = upLink;
        reader = new ThreadPoolExecutor(
                1, 1, READER_IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                    Thread thread = new Thread(task, "fiber-relay");
                    thread.setDaemon(true);
                    return thread;
                });
        reader.allowCoreThreadTimeOut(true);
        reader.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy());
    }

    @Override
    public CallerHost callerHost() {
        return upLink.callerHost();
    }

    @Override
    public List<Job> submit(Submission submission, JobListener listener) {
        requireNonNull(listener, "listener");
        requireRelayable(submission.spec());
        RemoteJobRequest order = new RemoteJobRequest(
                submission.spec().resources(), submission.spec().environment(), submission.instances());
        SealedPayload parcel = upLink.seals().close(order.encode());
        RemoteSubmission asked =
                new RemoteSubmission(this, upLink.numbers().incrementAndGet(), submission.instances(), listener);
        synchronized (lock) {
            if (closed) {
                throw new IllegalStateException("The backend of this worker is closed; it takes no more jobs.");
            }
            pending.put(asked.request(), asked);
        }
        if (!send(Messages.jobRequest(asked.request(), parcel))) {
            forget(asked);
            throw new BackendUnavailableException("This worker ends; its master cannot be asked for jobs any more.");
        }
        return await(asked);
    }

    private List<Job> await(RemoteSubmission asked) {
        try {
            return asked.jobs().get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            asked.cancel();
            throw new BackendUnavailableException("Interrupted while the master was asked for jobs.", e);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException refusal ? refusal : new IllegalStateException(e.getCause());
        }
    }

    /** How a worker is started is decided by whoever holds the real backend; a wish that would be lost is refused. */
    private static void requireRelayable(JobSpec spec) {
        JobSpec whatTravels = JobSpec.builder(spec.program())
                .resources(spec.resources())
                .environment(spec.environment())
                .build();
        if (!spec.equals(whatTravels)) {
            throw new JobRejectedException(
                    "A worker asks its master for jobs by their resources and environment only; the"
                            + " spec says more: " + spec + ". Set it where the first session is opened.");
        }
    }

    /** Takes a JobEvent. Called by the conductor; the message is valid only during the call. */
    public void onMessage(Message message) {
        if (message.templateId() != JobEventDecoder.TEMPLATE_ID) {
            return;
        }
        long request = new JobEventDecoder()
                .wrap(message.buffer(), message.offset(), message.blockLength(), message.version())
                .request();
        SealedPayload parcel = message.parcel();
        reader.execute(() -> read(request, parcel));
    }

    private void read(long request, SealedPayload parcel) {
        try {
            RemoteJobReply answer = RemoteJobReply.decode(upLink.seals().open(parcel));
            if (answer instanceof RemoteJobReply.Lines lines) {
                answer(lines.question()).complete(lines.lines());
            } else if (answer instanceof RemoteJobReply.NoLines none) {
                answer(none.question()).completeExceptionally(refusal(none));
            } else {
                pending(request).ifPresent(asked -> asked.onAnswer(answer));
            }
        } catch (SealException | IOException | RuntimeException e) {
            log().log(System.Logger.Level.ERROR, "What the master said about a job cannot be read.", e);
            BackendException failure =
                    new BackendException("What the master said about jobs cannot be read: " + e.getMessage(), e);
            pending(request).ifPresent(asked -> asked.jobs().completeExceptionally(failure));
        }
    }

    private Optional<RemoteSubmission> pending(long request) {
        synchronized (lock) {
            return Optional.ofNullable(pending.get(request));
        }
    }

    private CompletableFuture<List<String>> answer(long question) {
        CompletableFuture<List<String>> asked = questions.remove(question);
        return asked == null ? new CompletableFuture<>() : asked;
    }

    private static RuntimeException refusal(RemoteJobReply.NoLines none) {
        return none.sort() == RemoteJobReply.Sort.TRANSIENT
                ? new BackendUnavailableException(none.text())
                : new UnsupportedOperationException(none.text());
    }

    /** Asks for what a job wrote last, and waits for the answer. */
    List<String> logs(long request, int index, int lastLines) {
        long question = upLink.numbers().incrementAndGet();
        CompletableFuture<List<String>> lines = new CompletableFuture<>();
        questions.put(question, lines);
        try {
            if (isClosed() || !send(Messages.jobLogs(request, question, index, lastLines))) {
                throw new BackendUnavailableException("The session of this worker is closed; nobody can be asked.");
            }
            return lines.get(LOGS_LIMIT_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new BackendUnavailableException(
                    "The master has not told the lines of a job within " + LOGS_LIMIT_SECONDS + " s.", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BackendUnavailableException("Interrupted while the master was asked for lines.", e);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException refusal ? refusal : new IllegalStateException(e.getCause());
        } finally {
            questions.remove(question);
        }
    }

    boolean send(Outgoing message) {
        return upLink.sender().test(message);
    }

    void forget(RemoteSubmission asked) {
        synchronized (lock) {
            pending.remove(asked.request());
            lock.notifyAll();
        }
    }

    private boolean isClosed() {
        synchronized (lock) {
            return closed;
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
            open = List.copyOf(pending.values());
        }
        boolean heard = true;
        for (RemoteSubmission asked : open) {
            heard &= asked.cancel();
        }
        if (heard) {
            awaitEnds();
        }
        BackendUnavailableException end = new BackendUnavailableException("The session of this worker was closed.");
        open.forEach(asked -> asked.jobs().completeExceptionally(end));
        questions.values().forEach(question -> question.completeExceptionally(end));
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

    /** Looked up when there is something to say, because the first look-up takes a JVM 10 to 50 ms. */
    private static System.Logger log() {
        return Logs.of(RemoteJobBackend.class);
    }
}
