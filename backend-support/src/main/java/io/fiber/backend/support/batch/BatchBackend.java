// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.support.batch;

import static java.util.Objects.requireNonNull;

import io.fiber.backend.support.SubmissionGate;
import io.fiber.spi.CallerHost;
import io.fiber.spi.backend.Backend;
import io.fiber.spi.backend.BackendContext;
import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.BackendUnavailableException;
import io.fiber.spi.backend.Capability;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobEvent;
import io.fiber.spi.backend.JobListener;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.Reaper;
import io.fiber.spi.backend.Submission;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;

/**
 * A backend for a batch system, whose author implements only {@link BatchSystem}. The rest is here: watching all jobs,
 * the order of events, graces, output, bootstrap files, exit codes, and ending jobs whose session is over. Methods
 * block and throw as those of {@link Backend}. Thread-safe.
 */
public final class BatchBackend implements Backend {

    private static final long CLOSE_GRACE_NS = TimeUnit.SECONDS.toNanos(2);
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(6);

    /** What another host cannot be told within this time of a close is left to a process that outlives this one. */
    private static final Duration LEAVE_LIMIT = Duration.ofSeconds(9);

    private static final int MOST_NAMED = 3;

    /** The system may be down for a moment when this process dies. */
    private static final String REPEATED = "for attempt in 1 2 3 4 5 6; do \"$@\" && exit; sleep 5; done";

    private final BatchSystem system;
    private final Terms terms;
    private final BatchHost host;
    private final BackendContext context;
    private final SharedFolder folder;
    private final Watch watch;
    private final SubmissionGate gate;
    private final Set<BatchJob> jobs = ConcurrentHashMap.newKeySet();
    /** What the reaper does if this process dies. */
    private final Set<Reaper.Registration> atDeath = ConcurrentHashMap.newKeySet();
    /** Whether the system may have accepted jobs whose names it did not return. */
    private volatile boolean hasUnnamedJobs;

    private BatchBackend(BatchSystem system, Terms terms, BatchHost host, BackendContext context) {
        this.system = system;
        this.terms = terms;
        this.host = host;
        this.context = context;
        this.gate = new SubmissionGate(terms.name().backend());
        this.folder = SharedFolder.create(terms.name(), host.files(), host.directory(), context.sessionId());
        atDeath(List.of("rm", "-rf", folder.path().toString()));
        if (!system.endSessionCommand().isEmpty()) {
            List<String> words = new ArrayList<>(List.of("/bin/sh", "-c", REPEATED, "fiber-end"));
            words.addAll(system.endSessionCommand());
            atDeath(words);
        }
        this.watch = new Watch(system, folder, terms.pollInterval());
        system.whenEnded(watch::askNow);
    }

    /**
     * Opens the backend for a session.
     *
     * @param host is closed with the backend
     * @throws BackendException if the shared directory cannot be written
     */
    public static BatchBackend open(BatchSystem system, Terms terms, BatchHost host, BackendContext context) {
        return new BatchBackend(system, terms, host, context);
    }

    @Override
    public CallerHost callerHost() {
        return terms.callerHost();
    }

    /** Returns the folder of the session. */
    public SharedFolder folder() {
        return folder;
    }

    @Override
    public List<Job> submit(Submission submission, JobListener listener) {
        requireNonNull(listener, "listener");
        submission.requireOffered(terms.name().backend(), terms.capabilities());
        return gate.pass(() -> {
            List<Group> groups = new ArrayList<>();
            try {
                JobSpec spec = host.sent(submission.spec());
                divide(spec, submission.instances(), (place, part) -> groups.add(start(place, part, listener)));
            } catch (RuntimeException | Error e) {
                groups.forEach(this::takeBack);
                throw e;
            }
            List<BatchJob> started =
                    groups.stream().flatMap(group -> group.jobs.stream()).toList();
            watch.add(started);
            jobs.removeIf(BatchJob::isEnded);
            jobs.addAll(started);
            return List.copyOf(started);
        });
    }

    @Override
    public Optional<String> preview(Submission submission) {
        submission.requireOffered(terms.name().backend(), terms.capabilities());
        StringBuilder text = new StringBuilder();
        List<Runnable> releases = new ArrayList<>();
        try {
            divide(host.asSent(submission.spec()), submission.instances(), (place, each) -> {
                SharedFolder.Part part = folder.partAfter(releases.size());
                releases.add(() -> release(place, each));
                text.append(place.preview(place.script(each, part), each, part));
            });
        } finally {
            releases.forEach(Runnable::run);
        }
        return Optional.of(text.toString());
    }

    /** Divides a submission into requests, and hands over each with the place that has reserved room for it. */
    private void divide(JobSpec spec, List<Submission.Instance> instances, BiConsumer<Place, Submission> sink) {
        List<Submission.Instance> rest = instances;
        for (Place place : system.places(spec)) {
            int room = place.reserve(spec, rest.size());
            while (room > 0) {
                sink.accept(place, new Submission(spec, rest.subList(0, room)));
                rest = rest.subList(room, rest.size());
                room = place.reserve(spec, rest.size());
            }
        }
    }

    private static void release(Place place, Submission submission) {
        place.release(submission.spec(), submission.instances().size());
    }

    private Group start(Place place, Submission submission, JobListener listener) {
        try {
            SharedFolder.Part part = folder.part(submission);
            return watched(place, submission, part, listener);
        } catch (RuntimeException | Error e) {
            release(place, submission);
            throw e;
        }
    }

    private Group watched(Place place, Submission submission, SharedFolder.Part part, JobListener listener) {
        List<String> ids = request(place, submission, part);
        try {
            Reaper.Registration end = atDeath(system.endCommand(ids));
            List<BatchJob> started = watch.jobs(submission, part, ids, told(place, submission, end, listener));
            return new Group(started, part, () -> {
                end.cancel();
                release(place, submission);
            });
        } catch (RuntimeException | Error e) {
            part.remove();
            watch.endLater(ids);
            throw e;
        }
    }

    private List<String> request(Place place, Submission submission, SharedFolder.Part part) {
        try {
            String script = place.script(submission, part);
            part.keep(script);
            return place.submit(script, submission, part);
        } catch (RuntimeException | Error e) {
            // Jobs that the system may have accepted nevertheless find no folder, and so run nothing.
            part.remove();
            if (e instanceof BackendUnavailableException) {
                hasUnnamedJobs = true;
            }
            throw e;
        }
    }

    private static JobListener told(Place place, Submission submission, Reaper.Registration end, JobListener listener) {
        AtomicInteger left = new AtomicInteger(submission.instances().size());
        return event -> {
            if (event instanceof JobEvent.Ended) {
                place.ended(submission.spec(), event.job().id());
                if (left.decrementAndGet() == 0) {
                    end.cancel();
                }
            }
            listener.onEvent(event);
        };
    }

    private void takeBack(Group group) {
        group.part.remove();
        watch.endLater(group.jobs.stream().map(BatchJob::id).toList());
        group.undo.run();
    }

    private Reaper.Registration atDeath(List<String> words) {
        if (words.isEmpty()) {
            return () -> {};
        }
        Reaper.Registration registration = context.reaper().onDeath(host.atDeath(words));
        atDeath.add(registration);
        return () -> {
            registration.cancel();
            atDeath.remove(registration);
        };
    }

    /**
     * Leaves the jobs to the system, which keeps them without this program: neither {@link #close} nor the reaper ends
     * them. All that a job needs is in the folder when it is submitted. Waits for submissions; no more are accepted.
     */
    public void handOver() {
        gate.handOver(() -> {
            watch.leave();
            atDeath.forEach(Reaper.Registration::cancel);
            return true;
        });
    }

    @Override
    public void close() {
        // So that a submission that is under way ends, too.
        host.leave(LEAVE_LIMIT);
        gate.close(() -> {
            try {
                if (!gate.isHandedOver()) {
                    end();
                }
            } finally {
                host.close();
            }
        });
    }

    private void end() {
        host.leave(LEAVE_LIMIT);
        watch.cancelAll(CLOSE_GRACE_NS);
        boolean confirmed = false;
        try {
            confirmed = watch.awaitEnds(System.nanoTime() + CLOSE_LIMIT.toNanos());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            // Before the watch is closed, which reports all jobs as ended.
            List<BatchJob> left = jobs.stream().filter(job -> !job.isEnded()).toList();
            if (!confirmed) {
                warn(left);
            }
            watch.close();
            remove(confirmed, left);
        }
    }

    private void warn(List<BatchJob> left) {
        String shown = terms.name().shown();
        System.getLogger(BatchBackend.class.getName())
                .log(
                        Level.WARNING,
                        shown + " did not confirm within " + CLOSE_LIMIT.toMillis() + " ms that "
                                + (left.isEmpty()
                                        ? "the ended jobs of session " + context.sessionId() + " have left its queue; "
                                        : left.size() + " jobs of session " + context.sessionId()
                                                + " have ended, among them "
                                                + left.stream()
                                                        .limit(MOST_NAMED)
                                                        .toList() + "; ")
                                + host.commands().last()
                                + ". Running jobs end by themselves, because the session's folder is gone; a small"
                                + " process ends the waiting jobs as soon as " + shown + " answers.");
    }

    /**
     * Removes the folder, because running jobs end themselves when it is gone. Waiting jobs do not, so they must be
     * ended.
     */
    private void remove(boolean confirmed, List<BatchJob> left) {
        boolean isClean = folder.remove() && confirmed;
        if (!isClean) {
            host.later(List.of("rm", "-rf", folder.path().toString()));
        }
        if (!isClean || hasUnnamedJobs) {
            List<String> words = system.endSessionCommand();
            if (words.isEmpty() && !left.isEmpty()) {
                words = system.endCommand(left.stream().map(BatchJob::id).toList());
            }
            if (!words.isEmpty()) {
                host.later(words);
            }
        }
        atDeath.forEach(Reaper.Registration::cancel);
    }

    /**
     * The properties of a backend.
     *
     * @param name name of the system
     * @param capabilities what its provider declares
     * @param callerHost how nodes reach this process
     * @param pollInterval minimum time between two requests to the system
     */
    public record Terms(BatchName name, Set<Capability> capabilities, CallerHost callerHost, Duration pollInterval) {
        /** Checks that no value is null. */
        public Terms {
            requireNonNull(name, "name");
            capabilities = Set.copyOf(capabilities);
            requireNonNull(callerHost, "callerHost");
            requireNonNull(pollInterval, "pollInterval");
        }
    }

    /**
     * The jobs of one request.
     *
     * @param undo gives back the room that they have, and cancels the reaper's order
     */
    private record Group(List<BatchJob> jobs, SharedFolder.Part part, Runnable undo) {}
}
