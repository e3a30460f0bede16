// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli;

import io.fiber.FiberException;
import io.fiber.cli.run.Attached;
import io.fiber.cli.run.ExitCodes;
import io.fiber.cli.run.ProgramBackends;
import io.fiber.cli.run.Run;
import io.fiber.cli.run.Runs;
import io.fiber.runtime.config.ConfigKey;
import io.fiber.runtime.config.ConfigSources;
import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.BackendProvider;
import io.fiber.spi.backend.DetachedJob;
import io.fiber.spi.backend.DetachedJobs;
import io.fiber.spi.backend.DetachedJobs.Ending;
import io.fiber.spi.backend.JobOutput;
import io.fiber.spi.backend.JobTermination;
import io.fiber.spi.backend.Program;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Runs that a platform keeps, as it shows them now; each host that may use the platform sees the same ones. Not thread-safe. */
final class KeptRuns implements AutoCloseable {

    /** As long as 'fiber run --grace' is by default. */
    private static final long GRACE_NS = TimeUnit.SECONDS.toNanos(10);

    private static final long LOOK_MS = 500;
    private static final int GREATEST_LABEL = 63;
    private static final int OF_SIGTERM = 143;
    private static final String GONE = "gone: ";

    private final ProgramBackends chosen;
    private final BackendAccess access;
    private final DetachedJobs jobs;
    private final String backend;
    private final Map<String, String> settings;

    private KeptRuns(ProgramBackends chosen, BackendAccess access, DetachedJobs jobs, Map<String, String> settings) {
        this.chosen = chosen;
        this.access = access;
        this.jobs = jobs;
        this.backend = chosen.backend().provider().name();
        this.settings = settings;
    }

    /**
     * Opens the backend that a command line names.
     *
     * @throws FiberException FBR-569 when it keeps no runs
     */
    static KeptRuns of(SessionOptions session) {
        return open(session.backend(), session.sources(), session.settings());
    }

    /** Opens the backend that keeps a run. */
    private static KeptRuns of(Run run) {
        Map<String, String> inCode = new LinkedHashMap<>(run.settings());
        inCode.put(ConfigKey.BACKEND.key(), run.backend());
        return open(Optional.of(run.backend()), ConfigSources.system(inCode), run.settings());
    }

    private static KeptRuns open(Optional<String> named, ConfigSources sources, Map<String, String> settings) {
        ProgramBackends chosen = ProgramBackends.select(new Program.Command(List.of("ps")), named, sources);
        try {
            BackendProvider provider = chosen.backend().provider();
            BackendAccess access = BackendAccess.open(provider, chosen.config().optionsOf(provider));
            try {
                DetachedJobs jobs = access.backend()
                        .detachedJobs()
                        .orElseThrow(() -> new FiberException(
                                "FBR-569",
                                "The backend '" + provider.name()
                                        + "' keeps no runs: those of it end with the process that"
                                        + " has started them. Leave --backend out on the host of that process."));
                return new KeptRuns(chosen, access, jobs, settings);
            } catch (RuntimeException e) {
                access.close();
                throw e;
            }
        } catch (RuntimeException e) {
            chosen.close();
            throw e;
        }
    }

    /** Returns what is submitted with the labels by which its platform shows it. */
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

    /** Returns this user's name as a label can have it. */
    private static String user() {
        String plain = System.getProperty("user.name", "").replaceAll("[^A-Za-z0-9._-]", "-");
        String name =
                plain.substring(0, Math.min(plain.length(), GREATEST_LABEL)).replaceAll("^[._-]+|[._-]+$", "");
        return name.isEmpty() ? "unknown" : name;
    }

    /** Returns the runs of this user. */
    List<Run> ofThisUser() {
        return jobs.all().stream()
                .filter(job -> job.user().isEmpty() || job.user().get().equals(user()))
                .map(this::run)
                .toList();
    }

    /** Returns the runs of all users. */
    List<Run> all() {
        return jobs.all().stream().map(this::run).toList();
    }

    private Run run(DetachedJob job) {
        return new Run(
                job.run(),
                backend,
                job.sessionId(),
                job.name(),
                Run.Keeper.PLATFORM,
                job.submitted(),
                state(job),
                settings);
    }

    private static Run.State state(DetachedJob job) {
        return new Run.State(
                job.id(),
                job.state(),
                job.end().map(end -> OptionalInt.of(ExitCodes.of(end))).orElseGet(OptionalInt::empty));
    }

    /** Returns the whole id of this user's run whose id begins with this text; a whole id may be that of another user's run. */
    private String idOf(String text) {
        if (find(text).isPresent()) {
            return text;
        }
        String none = "No run of this user that '" + backend + "' keeps has";
        return Runs.require(text, ofThisUser(), none, " Of another user's run, write the whole id.")
                .id();
    }

    private Optional<DetachedJob> find(String id) {
        return jobs.all().stream().filter(job -> job.run().equals(id)).findFirst();
    }

    private DetachedJob require(String id) {
        return find(id).orElseThrow(() -> new FiberException(
                "FBR-570",
                "The run " + id + " is on '" + backend + "' no more, and its output is gone with it: 'fiber kill'"
                        + " on Kubernetes, 'fiber clean', or somebody else has removed it. Expected it where the"
                        + " settings of now lead (context, namespace, host)."));
    }

    /** Copies what a run has printed. */
    private void copyLog(String id, DetachedJobs.Until until, OutputStream to) throws IOException {
        jobs.copyLog(require(id), until, to);
    }

    /** Copies what a run has printed whose id begins with this text. */
    void copyLogOf(String start, DetachedJobs.Until until, OutputStream to) throws IOException {
        copyLog(idOf(start), until, to);
    }

    /** Copies what a recorded run has printed. */
    static void copyLog(Run run, DetachedJobs.Until until, OutputStream to) throws IOException {
        try (KeptRuns kept = of(run)) {
            kept.copyLog(run.id(), until, to);
        }
    }

    /** Ends the run whose id begins with this text, see {@link #end(Run, Ending, Duration)}. */
    Run endOf(String start, Ending ending, Duration limit) throws InterruptedException {
        String id = idOf(start);
        return end(id, run(require(id)), ending, limit);
    }

    /**
     * Ends a recorded run, by force when it has not ended within a grace.
     *
     * @return the run as it is then
     * @throws FiberException FBR-538 when it has not ended within the limit
     */
    static Run end(Run run, Ending ending, Duration limit) throws InterruptedException {
        try (KeptRuns kept = of(run)) {
            return kept.end(run.id(), run, ending, limit);
        }
    }

    private Run end(String id, Run run, Ending first, Duration limit) throws InterruptedException {
        long beganNs = System.nanoTime();
        Optional<DetachedJob> seen = find(id);
        if (!isLive(seen)) {
            return run.with(seen.map(KeptRuns::state).orElseGet(() -> cancelled(run, OptionalInt.empty())));
        }
        jobs.end(seen.get(), first);
        while (isLive(seen)) {
            long passedNs = System.nanoTime() - beganNs;
            if (passedNs > limit.toNanos()) {
                throw KillCommand.notEnded(run.with(state(seen.get())), limit);
            }
            if (passedNs > GRACE_NS) {
                jobs.end(seen.get(), Ending.FORCED);
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_MS);
            seen = find(id);
        }
        return run.with(cancelled(
                run,
                seen.flatMap(DetachedJob::end).map(JobTermination::exitCode).orElseGet(OptionalInt::empty)));
    }

    /** Returns the state of a run that this command has ended. */
    private static Run.State cancelled(Run run, OptionalInt exitCode) {
        return new Run.State(
                run.state().job(),
                JobTermination.cancelled(exitCode).describe(),
                OptionalInt.of(exitCode.orElse(OF_SIGTERM)));
    }

    private static boolean isLive(Optional<DetachedJob> seen) {
        return seen.isPresent() && seen.get().end().isEmpty();
    }

    /** A backend with the settings that lead to its platform. */
    private record Way(String backend, Map<String, String> settings) {
        static Way to(Run run) {
            return new Way(run.backend(), run.settings());
        }
    }

    /**
     * Returns the recorded runs with the states that their platforms tell; an end is noted in the record.
     *
     * @param unknown is told, in a sentence, of a platform that does not tell
     */
    static List<Run> upToDate(Runs records, Consumer<String> unknown) {
        List<Run> all = records.all();
        Map<String, Run> told = new HashMap<>();
        grouped(all.stream().filter(run -> run.isOnPlatform() && !run.isOver()).toList())
                .values()
                .forEach(runs -> ask(runs, unknown).forEach(run -> told.put(run.id(), run)));
        told.values().stream().filter(KeptRuns::hasBeenSeen).forEach(records::write);
        return all.stream().map(run -> told.getOrDefault(run.id(), run)).toList();
    }

    private static Map<Way, List<Run>> grouped(List<Run> runs) {
        return runs.stream().collect(Collectors.groupingBy(Way::to, LinkedHashMap::new, Collectors.toList()));
    }

    private static List<Run> ask(List<Run> runs, Consumer<String> unknown) {
        try (KeptRuns kept = of(runs.get(0))) {
            Map<String, Run.State> states =
                    kept.jobs.all().stream().collect(Collectors.toMap(DetachedJob::run, KeptRuns::state, (a, b) -> b));
            return runs.stream()
                    .map(run -> run.with(states.getOrDefault(
                            run.id(),
                            new Run.State(
                                    run.state().job(),
                                    GONE + run.backend() + " has it no more",
                                    OptionalInt.of(ExitCodes.NOT_RUN)))))
                    .toList();
        } catch (FiberException | BackendException e) {
            unknown.accept("where " + runs.size() + " runs on '" + runs.get(0).backend() + "' stand is not known: "
                    + e.getMessage());
            return List.of();
        }
    }

    /** What is not found may be so because other settings hold now. */
    private static boolean hasBeenSeen(Run run) {
        return !run.state().words().startsWith(GONE);
    }

    /**
     * Removes from their platforms what runs have left there that have ended.
     *
     * @param unknown is told, in a sentence, of a platform that does not
     */
    static void removeWhatIsLeftOf(List<Run> over, Consumer<String> unknown) {
        grouped(over.stream().filter(Run::isOnPlatform).toList()).values().forEach(runs -> {
            List<String> sessions = runs.stream().map(Run::session).toList();
            try (KeptRuns kept = of(runs.get(0))) {
                kept.access.backend().leftovers().stream()
                        .filter(leftover -> sessions.contains(leftover.sessionId()))
                        .forEach(kept.access.backend()::remove);
            } catch (FiberException | BackendException e) {
                unknown.accept("what runs have left on '" + runs.get(0).backend() + "' stays: " + e.getMessage());
            }
        });
    }

    @Override
    public void close() {
        try {
            access.close();
        } finally {
            chosen.close();
        }
    }
}
