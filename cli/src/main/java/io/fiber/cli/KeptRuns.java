// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli;

import io.fiber.FiberException;
import io.fiber.cli.run.Attached;
import io.fiber.cli.run.ExitCodes;
import io.fiber.cli.run.Run;
import io.fiber.cli.run.Runs;
import io.fiber.spi.backend.DetachedJob;
import io.fiber.spi.backend.DetachedJobs;
import io.fiber.spi.backend.DetachedJobs.Ending;
import io.fiber.spi.backend.JobOutput;
import io.fiber.spi.backend.JobTermination;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;

/**
 * The runs that a platform keeps, in their current state. Every host that may use the platform sees the same runs. Not
 * thread-safe.
 */
final class KeptRuns implements AutoCloseable {

    /** The default of 'fiber run --grace'. */
    private static final long GRACE_NS = TimeUnit.SECONDS.toNanos(10);

    private static final long FIRST_PAUSE_MS = 100;
    private static final long GREATEST_PAUSE_MS = 2_000;
    private static final int GREATEST_LABEL = 63;
    private static final int OF_SIGTERM = 143;

    private final Platform platform;
    private final DetachedJobs jobs;
    private final Map<String, String> settings;

    private KeptRuns(Platform platform, DetachedJobs jobs, Map<String, String> settings) {
        this.platform = platform;
        this.jobs = jobs;
        this.settings = settings;
    }

    /**
     * Opens the platform that a command line selects.
     *
     * @throws FiberException FBR-569 if it keeps no runs
     */
    static KeptRuns of(SessionOptions session) {
        return on(Platform.of(session), session.settings());
    }

    /** Opens the platform that keeps a run. */
    static KeptRuns of(Run run) {
        return on(Platform.of(run), run.settings());
    }

    private static KeptRuns on(Platform platform, Map<String, String> settings) {
        try {
            DetachedJobs jobs = platform.backend()
                    .detachedJobs()
                    .orElseThrow(() -> new FiberException(
                            "FBR-569",
                            "The backend '" + platform.name() + "' keeps no runs: its runs end with the process that"
                                    + " has started them. On the host of that process, leave --backend out."));
            return new KeptRuns(platform, jobs, settings);
        } catch (RuntimeException e) {
            platform.close();
            throw e;
        }
    }

    /** Returns the submission with the labels by which its platform shows it. */
    static Attached.Named labelled(Attached.Named named, String id) {
        Map<String, String> labels = new HashMap<>(named.spec().labels());
        labels.put(DetachedJobs.RUN, id);
        labels.put(DetachedJobs.USER, user());
        return new Attached.Named(
                named.spec().toBuilder()
                        .labels(labels)
                        .output(new JobOutput.None())
                        .build(),
                named.name());
    }

    /** Returns this user's name as the value of a label. */
    private static String user() {
        String plain = System.getProperty("user.name", "").replaceAll("[^A-Za-z0-9._-]", "-");
        String name =
                plain.substring(0, Math.min(plain.length(), GREATEST_LABEL)).replaceAll("^[._-]+|[._-]+$", "");
        return name.isEmpty() ? "unknown" : name;
    }

    /** Returns the jobs of the runs of all users. */
    List<DetachedJob> jobs() {
        return jobs.all();
    }

    /** Returns the runs of all users. */
    List<Run> all() {
        return jobs.all().stream().map(this::run).toList();
    }

    /** Returns the runs of this user. */
    List<Run> ofThisUser() {
        return ofThisUser(jobs.all());
    }

    private List<Run> ofThisUser(List<DetachedJob> all) {
        return all.stream()
                .filter(job -> job.user().isEmpty() || job.user().get().equals(user()))
                .map(this::run)
                .toList();
    }

    /** Returns this user's run whose id begins with this text. A complete id may also be that of another user's run. */
    Run require(String start) {
        List<DetachedJob> all = jobs.all();
        String none = "No run of this user that '" + platform.name() + "' keeps has";
        return find(start, all)
                .map(this::run)
                .orElseGet(() ->
                        Runs.require(start, ofThisUser(all), none, " For a run of another user, write the whole id."));
    }

    private static Optional<DetachedJob> find(String id, List<DetachedJob> all) {
        return all.stream().filter(job -> job.run().equals(id)).findFirst();
    }

    private Run run(DetachedJob job) {
        return new Run(
                job.run(),
                platform.name(),
                job.sessionId(),
                job.name(),
                Run.Keeper.PLATFORM,
                job.submitted(),
                state(job),
                settings);
    }

    static Run.State state(DetachedJob job) {
        return new Run.State(
                job.id(),
                job.state(),
                job.restarts(),
                job.end().map(end -> OptionalInt.of(ExitCodes.of(end))).orElseGet(OptionalInt::empty));
    }

    /**
     * Copies the output of a run.
     *
     * @throws FiberException FBR-570 if the platform no longer has the run
     */
    void copyLog(Run run, DetachedJobs.Until until, OutputStream to) throws IOException {
        DetachedJob job = find(run.id(), jobs.all())
                .orElseThrow(() -> new FiberException(
                        "FBR-570",
                        "The run " + run.id() + " is no longer on '" + platform.name()
                                + "', and its output is gone: 'fiber clean' or another user has removed"
                                + " it, or 'fiber kill' has ended it on a platform that forgets ended"
                                + " jobs. Fiber looked for it where the current settings lead."));
        jobs.copyLog(job, until, to);
    }

    /**
     * Ends a run, and kills it if it has not ended within a grace. Asks the platform often at first and then less often
     * whether it has ended.
     *
     * @return the resulting run
     * @throws FiberException FBR-538 if it has not ended within the limit
     */
    Run end(Run run, Ending first, Duration limit) throws InterruptedException {
        long beganNs = System.nanoTime();
        Optional<DetachedJob> seen = find(run.id(), jobs.all());
        if (seen.flatMap(DetachedJob::end).isPresent()) {
            return run.with(state(seen.get()));
        }
        seen.ifPresent(job -> jobs.end(job, first));
        long pauseMs = FIRST_PAUSE_MS;
        while (seen.isPresent() && seen.get().end().isEmpty()) {
            long passedNs = System.nanoTime() - beganNs;
            if (passedNs > limit.toNanos()) {
                throw KillCommand.notEnded(run.with(state(seen.get())), limit);
            }
            if (passedNs > GRACE_NS) {
                jobs.end(seen.get(), Ending.FORCED);
            }
            TimeUnit.MILLISECONDS.sleep(pauseMs);
            pauseMs = Math.min(2 * pauseMs, GREATEST_PAUSE_MS);
            seen = find(run.id(), jobs.all());
        }
        OptionalInt exitCode =
                seen.flatMap(DetachedJob::end).map(JobTermination::exitCode).orElseGet(OptionalInt::empty);
        return run.with(run.state()
                .next(run.state().job(), JobTermination.cancelled(exitCode).describe())
                .ended(exitCode.orElse(OF_SIGTERM)));
    }

    @Override
    public void close() {
        platform.close();
    }
}
