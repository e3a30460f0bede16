// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.remotejobs;

import io.fiber.runtime.process.NestedJobHandler;
import io.fiber.runtime.process.RemoteWorker;
import io.fiber.runtime.process.SessionContext;
import io.fiber.runtime.protocol.Message;
import io.fiber.runtime.protocol.Messages;
import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.runtime.protocol.codec.JobCancelDecoder;
import io.fiber.runtime.protocol.codec.JobLogsDecoder;
import io.fiber.runtime.protocol.codec.JobRequestDecoder;
import io.fiber.runtime.security.SealException;
import io.fiber.spi.Resources;
import io.fiber.spi.backend.Backend;
import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.BackendUnavailableException;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobEvent;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.Submission;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Serves workers that ask for jobs: submits what they ask for to the backend of this session, with the spec that this
 * session's own workers have, tells them what becomes of it, and ends by force what is left when the one that asked has
 * ended. Belongs to the conductor; what blocks, and what seals and opens, runs on threads of the session.
 */
public final class RemoteJobServer implements NestedJobHandler {

    private final Backend backend;
    private final BiFunction<Resources, Map<String, String>, JobSpec> specs;
    private final SessionContext context;
    private final Map<RemoteWorker, RemoteJobClient> clients = new HashMap<>();

    /** Creates a desk; {@code specs} says how workers are started. */
    public RemoteJobServer(
            Backend backend, BiFunction<Resources, Map<String, String>, JobSpec> specs, SessionContext context) {
        this.backend = backend;
        this.specs = specs;
        this.context = context;
    }

    @Override
    public void onMessage(RemoteWorker from, Message message) {
        switch (message.templateId()) {
            case JobRequestDecoder.TEMPLATE_ID -> onRequest(from, message);
            case JobCancelDecoder.TEMPLATE_ID -> onCancel(from, message);
            case JobLogsDecoder.TEMPLATE_ID -> onLogs(from, message);
            default -> {}
        }
    }

    @Override
    public void onEnded(RemoteWorker worker) {
        RemoteJobClient client = clients.remove(worker);
        if (client != null) {
            client.abandon();
        }
    }

    private void onRequest(RemoteWorker from, Message message) {
        long request = new JobRequestDecoder()
                .wrap(message.buffer(), message.offset(), message.blockLength(), message.version())
                .request();
        SealedPayload parcel = message.parcel();
        RemoteJobClient client = clients.computeIfAbsent(from, worker -> new RemoteJobClient());
        SubmittedJobs jobs = client.add(request);
        blocking(from, request, () -> submit(new Asked(from, client, jobs), parcel), RemoteJobServer::refused);
    }

    /** A request under way. */
    private record Asked(RemoteWorker worker, RemoteJobClient client, SubmittedJobs jobs) {
        long request() {
            return jobs.request();
        }
    }

    private void submit(Asked asked, SealedPayload parcel) {
        try {
            RemoteJobRequest order = RemoteJobRequest.decode(context.seals().open(parcel));
            Map<String, Integer> indexes = new HashMap<>();
            List<Submission.Instance> instances = new ArrayList<>();
            for (Submission.Instance instance : order.instances()) {
                String name = JobNames.of(asked.worker().name(), instance.name());
                indexes.put(name, instances.size());
                instances.add(new Submission.Instance(name, instance.bootstrap()));
            }
            Submission submission = new Submission(specs.apply(order.resources(), order.environment()), instances);
            if (asked.jobs().isAbandoned()) {
                return;
            }
            List<Job> jobs = backend.submit(submission, event -> {
                Integer index = indexes.get(event.job().name());
                if (index != null) {
                    tell(asked, index, event);
                }
            });
            SealedPayload answer = sealed(
                    new RemoteJobReply.Submitted(jobs.stream().map(Job::id).toList()));
            context.conductor().execute(() -> {
                asked.jobs().onSubmitted(jobs);
                asked.client().settle(asked.jobs());
                asked.worker().post(Messages.jobEvent(asked.request(), answer));
            });
        } catch (SealException | IOException e) {
            refuse(asked, new RemoteJobReply.Refused(RemoteJobReply.Sort.PERMANENT, String.valueOf(e.getMessage())));
        } catch (Throwable e) {
            refuse(asked, refused(e));
        }
    }

    private static RemoteJobReply.Refused refused(Throwable e) {
        return new RemoteJobReply.Refused(RemoteJobReply.Sort.of(e), words(e));
    }

    /** What a backend says of a refusal is enough; of anything else the type belongs to it. */
    private static String words(Throwable e) {
        return e instanceof BackendException && e.getMessage() != null ? e.getMessage() : e.toString();
    }

    private void refuse(Asked asked, RemoteJobReply.Refused refusal) {
        SealedPayload answer = sealed(refusal);
        context.conductor().execute(() -> {
            asked.client().remove(asked.jobs());
            asked.worker().post(Messages.jobEvent(asked.request(), answer));
        });
    }

    private void tell(Asked asked, int index, JobEvent event) {
        Job job = event.job();
        SealedPayload answer = sealed(new RemoteJobReply.Happened(index, job.id(), news(event)));
        boolean ended = event instanceof JobEvent.Ended;
        context.conductor().execute(() -> {
            asked.jobs().onJob(index, job);
            asked.worker().post(Messages.jobEvent(asked.request(), answer));
            if (ended) {
                asked.jobs().countEnd();
                asked.client().settle(asked.jobs());
            }
        });
    }

    private static RemoteJobReply.News news(JobEvent event) {
        if (event instanceof JobEvent.Waiting waiting) {
            return new RemoteJobReply.News.Waiting(waiting.reason());
        } else if (event instanceof JobEvent.Running running) {
            return new RemoteJobReply.News.Running(running.host());
        } else if (event instanceof JobEvent.Preempting preempting) {
            return new RemoteJobReply.News.Preempting(preempting.reason());
        } else if (event instanceof JobEvent.Ended end) {
            return new RemoteJobReply.News.Ended(end.termination());
        }
        throw new IllegalStateException("There is no news of " + event + ".");
    }

    private void onCancel(RemoteWorker from, Message message) {
        JobCancelDecoder cancel = new JobCancelDecoder()
                .wrap(message.buffer(), message.offset(), message.blockLength(), message.version());
        SubmittedJobs jobs = jobs(from, cancel.request());
        if (jobs != null) {
            jobs.cancel(cancel.index(), Duration.ofMillis(Math.max(0, cancel.graceMs())));
        }
    }

    private void onLogs(RemoteWorker from, Message message) {
        JobLogsDecoder logs =
                new JobLogsDecoder().wrap(message.buffer(), message.offset(), message.blockLength(), message.version());
        long request = logs.request();
        long question = logs.question();
        int lastLines = logs.lastLines();
        SubmittedJobs jobs = jobs(from, request);
        Job job = jobs == null ? null : jobs.job(logs.index());
        Function<Throwable, RemoteJobReply> refusal =
                e -> new RemoteJobReply.NoLines(question, RemoteJobReply.Sort.of(e), String.valueOf(e.getMessage()));
        blocking(
                from,
                request,
                () -> {
                    RemoteJobReply answer;
                    try {
                        answer = new RemoteJobReply.Lines(question, job == null ? List.of() : job.logs(lastLines));
                    } catch (Throwable e) {
                        answer = refusal.apply(e);
                    }
                    SealedPayload parcel = sealed(answer);
                    context.conductor().execute(() -> from.post(Messages.jobEvent(request, parcel)));
                },
                refusal);
    }

    private @Nullable SubmittedJobs jobs(RemoteWorker from, long request) {
        RemoteJobClient client = clients.get(from);
        return client == null ? null : client.jobs(request);
    }

    private SealedPayload sealed(RemoteJobReply answer) {
        return context.seals().close(answer.encode());
    }

    private void blocking(
            RemoteWorker from, long request, Runnable task, Function<Throwable, ? extends RemoteJobReply> refusal) {
        try {
            context.blocking().execute(task);
        } catch (RejectedExecutionException e) {
            RemoteJobReply answer = refusal.apply(new BackendUnavailableException(
                    "The session that holds the backend ends; it takes no more requests.", e));
            from.post(Messages.jobEvent(request, sealed(answer)));
        }
    }
}
