// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.support.batch;

import static java.util.Objects.requireNonNull;

import io.fiber.backend.support.SubmissionGate;
import io.fiber.spi.CallerHost;
import io.fiber.spi.backend.Backend;
import io.fiber.spi.backend.BackendContext;
import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.Capability;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobListener;
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

/**
 * A backend for a batch system, whose author implements only {@link BatchSystem}. The rest is here: watching all jobs,
 * the order of events, graces, output, bootstrap files, exit codes, and ending jobs whose session is over. Methods
 * block and throw as those of {@link Backend}. Thread-safe.
 */
public final class BatchBackend implements Backend {

    private static final long CLOSE_GRACE_NS = TimeUnit.SECONDS.toNanos(2);
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(6);
    private static final int MOST_NAMED = 3;
    private static final String REMOVE = "rm -rf \"$1\"; shift; [ $# = 0 ] || \"$@\"";

    private final BatchSystem system;
    private final Terms terms;
    private final BatchHost host;
    private final Reaper reaper;
    private final SharedFolder folder;
    private final Reaper.Registration folderRemoval;
    private final Watch watch;
    private final SubmissionGate gate;
    private final Set<BatchJob> jobs = ConcurrentHashMap.newKeySet();

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

    /** The jobs of one request, and the reaper's order to end them. */
    private record Group(List<BatchJob> jobs, SharedFolder.Part part, Reaper.Registration end) {}

    private BatchBackend(BatchSystem system, Terms terms, BatchHost host, BackendContext context) {
        this.system = system;
        this.terms = terms;
        this.host = host;
        this.reaper = context.reaper();
        this.gate = new SubmissionGate(terms.name().backend());
        this.folder = SharedFolder.create(terms.name(), host.files(), host.directory(), context.sessionId());
        this.folderRemoval = atDeath(List.of("rm", "-rf", folder.path().toString()));
        this.watch = new Watch(system, folder, terms.pollInterval());
    }

    /**
     * Opens the backend for a session.
     *
     * @throws BackendException if the shared directory cannot be written
     */
    public static BatchBackend open(BatchSystem system, Terms terms, BatchHost host, BackendContext context) {
        return new BatchBackend(system, terms, host, context);
    }

    private Reaper.Registration atDeath(List<String> words) {
        return words.isEmpty() ? () -> {} : reaper.onDeath(host.atDeath().apply(words));
    }

    @Override
    public CallerHost callerHost() {
        return terms.callerHost();
    }

    @Override
    public List<Job> submit(Submission submission, JobListener listener) {
        requireNonNull(listener, "listener");
        submission.requireOffered(terms.name().backend(), terms.capabilities());
        return gate.pass(() -> {
            List<Group> groups = new ArrayList<>();
            try {
                for (Submission each : divided(submission)) {
                    groups.add(start(each, listener));
                }
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

    private List<Submission> divided(Submission submission) {
        List<Submission.Instance> all = submission.instances();
        List<Submission> parts = new ArrayList<>();
        int most = Math.min(system.mostJobs(), all.size());
        for (int begin = 0; begin < all.size(); begin += most) {
            parts.add(new Submission(submission.spec(), all.subList(begin, Math.min(all.size(), begin + most))));
        }
        return parts;
    }

    private Group start(Submission submission, JobListener listener) {
        SharedFolder.Part part = folder.part(submission);
        List<String> ids;
        try {
            String script = system.script(submission, part);
            part.keep(script);
            ids = system.submit(script, submission.instances().size());
        } catch (RuntimeException | Error e) {
            // Jobs that the system may have accepted nevertheless find no folder, and so run nothing.
            part.remove();
            throw e;
        }
        Reaper.Registration end = atDeath(system.endCommand(ids));
        return new Group(watch.jobs(submission, part, ids, new LastEnd(submission, listener, end)), part, end);
    }

    private void takeBack(Group group) {
        group.part.remove();
        group.end.cancel();
        watch.endLater(group.jobs.stream().map(BatchJob::id).toList());
    }

    @Override
    public Optional<String> preview(Submission submission) {
        submission.requireOffered(terms.name().backend(), terms.capabilities());
        StringBuilder text = new StringBuilder();
        List<Submission> parts = divided(submission);
        for (int i = 0; i < parts.size(); i++) {
            text.append(system.script(parts.get(i), folder.partAfter(i)));
        }
        return Optional.of(text.toString());
    }

    @Override
    public void close() {
        gate.close(this::end);
    }

    private void end() {
        watch.cancelAll(CLOSE_GRACE_NS);
        boolean confirmed = false;
        List<String> left = List.of();
        try {
            confirmed = watch.awaitEnds(System.nanoTime() + CLOSE_LIMIT.toNanos());
            left = jobs.stream().filter(job -> !job.isEnded()).map(BatchJob::id).toList();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            watch.close();
            remove(confirmed, left);
        }
    }

    /**
     * Removes the folder, because running jobs end themselves when it is gone. Waiting jobs do not, so they must be
     * ended.
     */
    private void remove(boolean confirmed, List<String> left) {
        if (!folder.remove() || !confirmed) {
            System.getLogger(BatchBackend.class.getName())
                    .log(
                            Level.WARNING,
                            terms.name().shown() + " did not confirm within " + CLOSE_LIMIT.toMillis()
                                    + " ms that " + left.size() + " jobs have ended, among them "
                                    + left.stream().limit(MOST_NAMED).toList() + ". Running jobs end by themselves,"
                                    + " because the session's folder is gone; a small process ends the waiting jobs"
                                    + " as soon as "
                                    + terms.name().shown() + " answers.");
            List<String> words = new ArrayList<>(List.of(
                    "/bin/sh", "-c", REMOVE, "fiber-later", folder.path().toString()));
            if (!left.isEmpty()) {
                words.addAll(host.atDeath().apply(system.endCommand(left)));
            }
            host.later().accept(words);
        }
        folderRemoval.cancel();
    }
}
