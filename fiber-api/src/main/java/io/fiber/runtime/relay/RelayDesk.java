// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.relay;

import io.fiber.runtime.process.JobDesk;
import io.fiber.runtime.process.RemoteWorker;
import io.fiber.runtime.process.Workshop;
import io.fiber.runtime.secure.SealException;
import io.fiber.runtime.wire.Message;
import io.fiber.runtime.wire.Messages;
import io.fiber.runtime.wire.Parcel;
import io.fiber.runtime.wire.codec.JobCancelDecoder;
import io.fiber.runtime.wire.codec.JobLogsDecoder;
import io.fiber.runtime.wire.codec.JobRequestDecoder;
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
public final class RelayDesk implements JobDesk {

    private final Backend backend;
    private final BiFunction<Resources, Map<String, String>, JobSpec> specs;
    private final Workshop workshop;
    private final Map<RemoteWorker, RelayCustomer> customers = new HashMap<>();

    /** Creates a desk; {@code specs} says how workers are started. */
    public RelayDesk(Backend backend, BiFunction<Resources, Map<String, String>, JobSpec> specs, Workshop workshop) {
        this.backend = backend;
        this.specs = specs;
        this.workshop = workshop;
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
        RelayCustomer customer = customers.remove(worker);
        if (customer != null) {
            customer.abandon();
        }
    }

    private void onRequest(RemoteWorker from, Message message) {
        long request = new JobRequestDecoder()
                .wrap(message.buffer(), message.offset(), message.blockLength(), message.version())
                .request();
        Parcel parcel = message.parcel();
        RelayCustomer customer = customers.computeIfAbsent(from, worker -> new RelayCustomer());
        RelayedJobs jobs = customer.add(request);
        blocking(from, request, () -> submit(new Asked(from, customer, jobs), parcel), RelayDesk::refused);
    }

    /** A request under way. */
    private record Asked(RemoteWorker worker, RelayCustomer customer, RelayedJobs jobs) {
        long request() {
            return jobs.request();
        }
    }

    private void submit(Asked asked, Parcel parcel) {
        try {
            RelayOrder order = RelayOrder.decode(workshop.seals().open(parcel));
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
            Parcel answer =
                    sealed(new RelayAnswer.Submitted(jobs.stream().map(Job::id).toList()));
            workshop.conductor().execute(() -> {
                asked.jobs().onSubmitted(jobs);
                asked.customer().settle(asked.jobs());
                asked.worker().post(Messages.jobEvent(asked.request(), answer));
            });
        } catch (SealException | IOException e) {
            refuse(asked, new RelayAnswer.Refused(RelayAnswer.Sort.PERMANENT, String.valueOf(e.getMessage())));
        } catch (Throwable e) {
            refuse(asked, refused(e));
        }
    }

    private static RelayAnswer.Refused refused(Throwable e) {
        return new RelayAnswer.Refused(RelayAnswer.Sort.of(e), words(e));
    }

    /** What a backend says of a refusal is enough; of anything else the type belongs to it. */
    private static String words(Throwable e) {
        return e instanceof BackendException && e.getMessage() != null ? e.getMessage() : e.toString();
    }

    private void refuse(Asked asked, RelayAnswer.Refused refusal) {
        Parcel answer = sealed(refusal);
        workshop.conductor().execute(() -> {
            asked.customer().remove(asked.jobs());
            asked.worker().post(Messages.jobEvent(asked.request(), answer));
        });
    }

    private void tell(Asked asked, int index, JobEvent event) {
        Job job = event.job();
        Parcel answer = sealed(new RelayAnswer.Happened(index, job.id(), news(event)));
        boolean ended = event instanceof JobEvent.Ended;
        workshop.conductor().execute(() -> {
            asked.jobs().onJob(index, job);
            asked.worker().post(Messages.jobEvent(asked.request(), answer));
            if (ended) {
                asked.jobs().countEnd();
                asked.customer().settle(asked.jobs());
            }
        });
    }

    private static RelayAnswer.News news(JobEvent event) {
        if (event instanceof JobEvent.Waiting waiting) {
            return new RelayAnswer.News.Waiting(waiting.reason());
        } else if (event instanceof JobEvent.Running running) {
            return new RelayAnswer.News.Running(running.host());
        } else if (event instanceof JobEvent.Preempting preempting) {
            return new RelayAnswer.News.Preempting(preempting.reason());
        } else if (event instanceof JobEvent.Ended end) {
            return new RelayAnswer.News.Ended(end.termination());
        }
        throw new IllegalStateException("There is no news of " + event + ".");
    }

    private void onCancel(RemoteWorker from, Message message) {
        JobCancelDecoder cancel = new JobCancelDecoder()
                .wrap(message.buffer(), message.offset(), message.blockLength(), message.version());
        RelayedJobs jobs = jobs(from, cancel.request());
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
        RelayedJobs jobs = jobs(from, request);
        Job job = jobs == null ? null : jobs.job(logs.index());
        Function<Throwable, RelayAnswer> refusal =
                e -> new RelayAnswer.NoLines(question, RelayAnswer.Sort.of(e), String.valueOf(e.getMessage()));
        blocking(
                from,
                request,
                () -> {
                    RelayAnswer answer;
                    try {
                        answer = new RelayAnswer.Lines(question, job == null ? List.of() : job.logs(lastLines));
                    } catch (Throwable e) {
                        answer = refusal.apply(e);
                    }
                    Parcel parcel = sealed(answer);
                    workshop.conductor().execute(() -> from.post(Messages.jobEvent(request, parcel)));
                },
                refusal);
    }

    private @Nullable RelayedJobs jobs(RemoteWorker from, long request) {
        RelayCustomer customer = customers.get(from);
        return customer == null ? null : customer.jobs(request);
    }

    private Parcel sealed(RelayAnswer answer) {
        return workshop.seals().close(answer.encode());
    }

    private void blocking(
            RemoteWorker from, long request, Runnable task, Function<Throwable, ? extends RelayAnswer> refusal) {
        try {
            workshop.blocking().execute(task);
        } catch (RejectedExecutionException e) {
            RelayAnswer answer = refusal.apply(new BackendUnavailableException(
                    "The session that holds the backend ends; it takes no more requests.", e));
            from.post(Messages.jobEvent(request, sealed(answer)));
        }
    }
}
