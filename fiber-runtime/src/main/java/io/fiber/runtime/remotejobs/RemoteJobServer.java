// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.remotejobs;

import io.fiber.runtime.logging.Faults;
import io.fiber.runtime.logging.Logs;
import io.fiber.runtime.platform.SessionThreads;
import io.fiber.runtime.platform.Sha256;
import io.fiber.runtime.process.SessionContext;
import io.fiber.runtime.protocol.ProcessPath;
import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.runtime.rpc.Hosted;
import io.fiber.runtime.rpc.ObjectAddress;
import io.fiber.runtime.rpc.Request;
import io.fiber.runtime.rpc.RpcRouter;
import io.fiber.runtime.rpc.ServiceCall;
import io.fiber.runtime.security.SealException;
import io.fiber.spi.backend.Backend;
import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.BackendUnavailableException;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobEvent;
import io.fiber.spi.backend.JobRejectedException;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.Submission;
import io.fiber.spi.backend.TooManyJobsException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Serves requests for jobs from the workers of a session, and from no other process. It submits the jobs to the backend
 * of this session, with the spec of this session's own workers, and sends events to the requesting worker. When that
 * worker has ended, it kills what is left.
 *
 * <p>{@code Hosted}'s methods run on the conductor, which alone changes what is known of clients and jobs, and cancels jobs,
 * which does not block. Submitting, reading logs and opening payloads are left to threads of the session. Events arrive on
 * threads of the backend.
 */
public final class RemoteJobServer implements Hosted {

    /** The last lines of this many ended jobs stay available; a worker may request any number of jobs in its life. */
    private static final int MOST_ENDED = 4_096;

    private static final int GREATEST_NAME_LENGTH = 63;

    private final Backend backend;
    private final UnaryOperator<JobSpec> specs;
    private final Function<ProcessPath, Optional<String>> names;
    private final SessionContext context;
    private final RpcRouter router;
    private final Map<ProcessPath, Client> clients = new HashMap<>();

    /**
     * A requested job, as far as it is known: an event may arrive before the backend has returned the job, and a
     * cancellation before either. The conductor writes it.
     */
    private static final class RequestedJob {
        private volatile @Nullable Job job;
        private @Nullable Duration grace;

        RequestedJob(@Nullable Duration grace) {
            this.grace = grace;
        }

        /** Takes the job, and cancels it if it was cancelled before it was known. */
        void onKnown(Job known) {
            if (job == null) {
                job = known;
                if (grace != null) {
                    cancel(known, grace);
                }
            }
        }

        void cancel(Duration newGrace) {
            grace = grace == null || newGrace.compareTo(grace) < 0 ? newGrace : grace;
            Job known = job;
            if (known != null) {
                cancel(known, newGrace);
            }
        }

        private static void cancel(Job job, Duration grace) {
            Faults.conducted(
                    RemoteJobServer.class, "A job of a worker could not be cancelled.", () -> job.cancel(grace));
        }
    }

    /** A requesting worker, and its jobs. */
    private static final class Client {
        private final ProcessPath path;
        private final String name;
        /** By the worker's names for them; the conductor writes it. */
        private final Map<String, RequestedJob> jobs = new ConcurrentHashMap<>();

        private final ArrayDeque<String> ended = new ArrayDeque<>();
        private volatile boolean gone;

        Client(ProcessPath path, String name) {
            this.path = path;
            this.name = name;
        }

        /** Returns a record of the job; what the backend returns after the worker has ended is ended, too. */
        RequestedJob requested(String job) {
            return jobs.computeIfAbsent(job, key -> new RequestedJob(gone ? Duration.ZERO : null));
        }

        void onEnd(String job) {
            ended.add(job);
            if (ended.size() > MOST_ENDED) {
                jobs.remove(ended.remove());
            }
        }
    }

    /**
     * Creates the server of a session.
     *
     * @param specs adds how workers are started to a request
     * @param names returns the name of this session's worker at a path; the conductor calls it
     */
    public RemoteJobServer(
            Backend backend,
            UnaryOperator<JobSpec> specs,
            Function<ProcessPath, Optional<String>> names,
            SessionContext context) {
        this.backend = backend;
        this.specs = specs;
        this.names = names;
        this.context = context;
        this.router = context.process().router();
    }

    @Override
    public void onCall(ServiceCall call) {
        Optional<String> name = names.apply(call.caller());
        if (name.isEmpty()) {
            refuse(
                    call,
                    new JobRejectedException("The process " + call.caller()
                            + " is not a worker of this session, which starts jobs for its own workers only."));
            return;
        }
        Client client = clients.computeIfAbsent(call.caller(), path -> new Client(path, name.get()));
        Request request = call.request();
        blocking(
                call,
                request.operation() == JobMessages.SUBMIT
                        ? () -> submit(client, request)
                        : () -> lastLines(client, request.body()));
    }

    @Override
    public void onTell(ProcessPath from, Request request) {
        Client client = clients.get(from);
        if (client != null && request.operation() == JobMessages.CANCEL) {
            if (!SessionThreads.tryExecute(context.blocking(), () -> cancel(client, request.body()))) {
                // The job must not continue just because there is no thread to read the few bytes of its name.
                cancel(client, request.body());
            }
        }
    }

    @Override
    public void onCallerGone(ProcessPath caller) {
        Client client = clients.remove(caller);
        if (client != null) {
            client.gone = true;
            client.jobs.values().forEach(job -> job.cancel(Duration.ZERO));
        }
    }

    private List<String> submit(Client client, Request request) throws IOException, SealException {
        ObjectAddress listener = new ObjectAddress(router.processAddress().program(), client.path, request.argument());
        Submission order = RemoteJobRequest.decode(router.seals().open(request.body()));
        Map<String, String> asked = new HashMap<>();
        List<Submission.Instance> instances = new ArrayList<>();
        for (Submission.Instance instance : order.instances()) {
            String name = nameOf(client.name, instance.name());
            asked.put(name, instance.name());
            instances.add(new Submission.Instance(name, instance.bootstrap()));
        }
        try {
            Submission submission = new Submission(specs.apply(order.spec()), instances);
            if (client.gone) {
                throw new BackendUnavailableException("The worker that has asked for jobs has ended.");
            }
            List<Job> submitted = backend.submit(submission, event -> {
                String name = asked.get(event.job().name());
                if (name != null) {
                    tell(client, listener, name, event);
                }
            });
            context.conductor().execute(() -> {
                for (int i = 0; i < submitted.size(); i++) {
                    client.requested(order.instances().get(i).name()).onKnown(submitted.get(i));
                }
            });
            return submitted.stream().map(Job::id).toList();
        } catch (Throwable e) {
            context.conductor().execute(() -> client.jobs.keySet().removeAll(asked.values()));
            throw e;
        }
    }

    /**
     * Returns {@code <worker>-<name>}, so that names of two workers are never the same. If that exceeds the limit for
     * names, returns its end after a digest of the whole.
     *
     * @param worker name of the requesting job
     * @param name its own name for the requested job
     */
    static String nameOf(String worker, String name) {
        String whole = worker + "-" + name;
        if (whole.length() <= GREATEST_NAME_LENGTH) {
            return whole;
        }
        byte[] hash = Sha256.newDigest().digest(whole.getBytes(StandardCharsets.UTF_8));
        String digest = Long.toUnsignedString(ByteBuffer.wrap(hash).getLong(), 36);
        return digest + "-" + whole.substring(whole.length() - (GREATEST_NAME_LENGTH - digest.length() - 1));
    }

    private void tell(Client client, ObjectAddress listener, String name, JobEvent event) {
        SealedPayload body = router.seals().close(JobMessages.texts(JobMessages.event(name, event)));
        context.conductor().execute(() -> {
            client.requested(name).onKnown(event.job());
            router.tell(listener, Request.of(JobMessages.EVENT, body));
            if (event instanceof JobEvent.Ended) {
                client.onEnd(name);
            }
        });
    }

    private List<String> lastLines(Client client, SealedPayload body) throws IOException, SealException {
        List<String> about = JobMessages.readTexts(router.seals().open(body));
        RequestedJob requested = client.jobs.get(about.get(0));
        Job job = requested == null ? null : requested.job;
        return job == null ? List.of() : job.logs(Integer.parseInt(about.get(1)));
    }

    private void cancel(Client client, SealedPayload body) {
        try {
            List<String> about = JobMessages.readTexts(router.seals().open(body));
            Duration grace = Duration.ofMillis(Math.max(0, Long.parseLong(about.get(1))));
            context.conductor().execute(() -> client.requested(about.get(0)).cancel(grace));
        } catch (IOException | SealException | IndexOutOfBoundsException | NumberFormatException e) {
            Logs.of(RemoteJobServer.class)
                    .log(System.Logger.Level.ERROR, "A worker's message about a job cannot be read.", e);
        }
    }

    private void blocking(ServiceCall call, Callable<List<String>> task) {
        Runnable answering = () -> {
            try {
                answer(call, JobMessages.TEXTS, task.call());
            } catch (Throwable e) {
                if (!isOfBackend(e)) {
                    Logs.of(RemoteJobServer.class)
                            .log(System.Logger.Level.ERROR, "A worker's request for jobs has failed.", e);
                }
                refuse(call, e);
            }
        };
        if (!SessionThreads.tryExecute(context.blocking(), answering)) {
            refuse(
                    call,
                    new BackendUnavailableException("The session that holds the backend is ending or cannot start"
                            + " more threads; it accepts no requests now."));
        }
    }

    private void refuse(ServiceCall call, Throwable why) {
        int argument = JobMessages.REFUSED;
        if (why instanceof BackendUnavailableException) {
            argument = JobMessages.UNAVAILABLE;
        } else if (why instanceof TooManyJobsException) {
            argument = JobMessages.TOO_MANY;
        }
        answer(call, argument, List.of(words(why)));
    }

    /** For a rejection, the backend's message is enough; for anything else, the type is part of it. */
    private static String words(Throwable why) {
        return isOfBackend(why) && why.getMessage() != null ? why.getMessage() : why.toString();
    }

    private static boolean isOfBackend(Throwable why) {
        return why instanceof BackendException || why instanceof UnsupportedOperationException;
    }

    private void answer(ServiceCall call, int argument, List<String> texts) {
        SealedPayload body = router.seals().close(JobMessages.texts(texts));
        context.conductor().execute(() -> call.answer(argument, body));
    }
}
