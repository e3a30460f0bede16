// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.remotejobs;

import io.fiber.runtime.logging.Logs;
import io.fiber.runtime.process.SessionContext;
import io.fiber.runtime.protocol.PayloadInput;
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
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.agrona.collections.Long2ObjectHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Serves the workers of a session, and no other process, that ask for jobs: submits what they ask for to the backend of
 * this session, with the spec that this session's own workers have, tells them what becomes of it, and ends by force what
 * is left when the one that asked has ended. Belongs to the conductor; what blocks, and what seals and opens, runs on
 * threads of the session.
 */
public final class RemoteJobServer implements Hosted {

    /** So many that have ended can still be asked for their lines; a worker may ask for any number in its life. */
    private static final int MOST_ENDED = 256;

    private final Backend backend;
    private final UnaryOperator<JobSpec> specs;
    private final Function<ProcessPath, Optional<String>> names;
    private final SessionContext context;
    private final RpcRouter router;
    private final Map<ProcessPath, Client> clients = new HashMap<>();

    /** What one worker has asked for, by the number of the worker's object that hears of it. */
    private static final class Client {
        private final String name;
        private final Long2ObjectHashMap<SubmittedJobs> byNumber = new Long2ObjectHashMap<>();
        private final ArrayDeque<SubmittedJobs> ended = new ArrayDeque<>();

        Client(String name) {
            this.name = name;
        }

        /** Something has become known of these, perhaps that all have ended. */
        void settle(SubmittedJobs jobs) {
            if (jobs.areOver()) {
                ended.add(jobs);
                if (ended.size() > MOST_ENDED) {
                    byNumber.remove(ended.remove().listener().object());
                }
            }
        }
    }

    /**
     * Creates the server of a session.
     *
     * @param specs adds to what is asked for how workers are started
     * @param names the name of the worker of this session that stands there; called by the conductor
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
                            + " is no worker of this session, which starts jobs for no other."));
            return;
        }
        Client client = clients.computeIfAbsent(call.caller(), path -> new Client(name.get()));
        Request request = call.request();
        if (request.operation() == JobMessages.SUBMIT) {
            SubmittedJobs jobs = new SubmittedJobs(
                    new ObjectAddress(router.processAddress().program(), call.caller(), request.argument()));
            client.byNumber.put(request.argument(), jobs);
            blocking(call, () -> submit(client, jobs, request.body()));
        } else {
            SubmittedJobs jobs = client.byNumber.get(request.argument());
            blocking(call, () -> lastLines(jobs, request.body()));
        }
    }

    @Override
    public void onTell(ProcessPath from, Request request) {
        Client client = clients.get(from);
        SubmittedJobs jobs = client == null ? null : client.byNumber.get(request.argument());
        if (jobs != null && request.operation() == JobMessages.CANCEL) {
            try {
                context.blocking().execute(() -> cancel(jobs, request.body()));
            } catch (RejectedExecutionException e) {
                // The session ends, and with it whatever its backend has submitted.
            }
        }
    }

    @Override
    public void onCallerGone(ProcessPath caller) {
        Client client = clients.remove(caller);
        if (client != null) {
            client.byNumber.values().forEach(SubmittedJobs::abandon);
        }
    }

    private List<String> submit(Client client, SubmittedJobs jobs, SealedPayload body)
            throws IOException, SealException {
        try {
            Submission order = RemoteJobRequest.decode(router.seals().open(body));
            Map<String, Integer> indexes = new HashMap<>();
            List<Submission.Instance> instances = new ArrayList<>();
            for (Submission.Instance instance : order.instances()) {
                String name = JobNames.of(client.name, instance.name());
                indexes.put(name, instances.size());
                instances.add(new Submission.Instance(name, instance.bootstrap()));
            }
            Submission submission = new Submission(specs.apply(order.spec()), instances);
            if (jobs.isAbandoned()) {
                throw new BackendUnavailableException("The worker that has asked for jobs has ended.");
            }
            List<Job> submitted = backend.submit(submission, event -> {
                Integer index = indexes.get(event.job().name());
                if (index != null) {
                    tell(client, jobs, index, event);
                }
            });
            context.conductor().execute(() -> {
                jobs.onSubmitted(submitted);
                client.settle(jobs);
            });
            return submitted.stream().map(Job::id).toList();
        } catch (Throwable e) {
            context.conductor()
                    .execute(() -> client.byNumber.remove(jobs.listener().object()));
            throw e;
        }
    }

    private void tell(Client client, SubmittedJobs jobs, int index, JobEvent event) {
        SealedPayload body = router.seals().close(JobMessages.event(event));
        context.conductor().execute(() -> {
            jobs.onJob(index, event.job());
            router.tell(jobs.listener(), new Request(JobMessages.EVENT, index, body));
            if (event instanceof JobEvent.Ended) {
                jobs.countEnd();
                client.settle(jobs);
            }
        });
    }

    private List<String> lastLines(@Nullable SubmittedJobs jobs, SealedPayload body) throws IOException, SealException {
        PayloadInput about = router.seals().open(body).open();
        Job job = jobs == null ? null : jobs.job(about.readInt());
        return job == null ? List.of() : job.logs(Math.toIntExact(about.readLong()));
    }

    private void cancel(SubmittedJobs jobs, SealedPayload body) {
        try {
            PayloadInput about = router.seals().open(body).open();
            int index = about.readInt();
            Duration grace = Duration.ofMillis(Math.max(0, about.readLong()));
            context.conductor().execute(() -> jobs.cancel(index, grace));
        } catch (IOException | SealException e) {
            Logs.of(RemoteJobServer.class)
                    .log(System.Logger.Level.ERROR, "What a worker said about a job cannot be read.", e);
        }
    }

    private void blocking(ServiceCall call, Callable<List<String>> task) {
        try {
            context.blocking().execute(() -> {
                try {
                    answer(call, JobMessages.TEXTS, task.call());
                } catch (Throwable e) {
                    refuse(call, e);
                }
            });
        } catch (RejectedExecutionException e) {
            refuse(
                    call,
                    new BackendUnavailableException(
                            "The session that holds the backend ends; it takes no more requests.", e));
        }
    }

    private void refuse(ServiceCall call, Throwable why) {
        boolean mayHelpLater = why instanceof BackendUnavailableException;
        answer(call, mayHelpLater ? JobMessages.UNAVAILABLE : JobMessages.REFUSED, List.of(words(why)));
    }

    /** What a backend says of a refusal is enough; of anything else the type belongs to it. */
    private static String words(Throwable why) {
        boolean isOfBackend = why instanceof BackendException || why instanceof UnsupportedOperationException;
        return isOfBackend && why.getMessage() != null ? why.getMessage() : why.toString();
    }

    private void answer(ServiceCall call, int argument, List<String> texts) {
        SealedPayload body = router.seals().close(JobMessages.texts(texts));
        context.conductor().execute(() -> call.answer(argument, body));
    }
}
