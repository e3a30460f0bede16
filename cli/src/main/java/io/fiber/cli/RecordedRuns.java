// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli;

import io.fiber.FiberException;
import io.fiber.cli.run.ExitCodes;
import io.fiber.cli.run.Run;
import io.fiber.cli.run.Runs;
import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.DetachedJob;
import io.fiber.spi.backend.JobState;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Recorded runs that platforms keep. Opens each platform once, with the settings in its records. */
final class RecordedRuns {

    private RecordedRuns() {}

    /** A backend with the settings that select its platform. */
    private record Way(String backend, Map<String, String> settings) {}

    private static Collection<List<Run>> grouped(List<Run> runs) {
        return runs.stream()
                .filter(Run::isOnPlatform)
                .collect(Collectors.groupingBy(
                        run -> new Way(run.backend(), run.settings()), LinkedHashMap::new, Collectors.toList()))
                .values();
    }

    /**
     * Returns all runs with the states that their platforms report, and writes these to the records.
     *
     * @param unknown receives a sentence about a platform that does not answer
     */
    static List<Run> upToDate(Runs records, Consumer<String> unknown) {
        List<Run> all = records.all();
        Map<String, Run> told = new HashMap<>();
        for (List<Run> runs : grouped(all.stream().filter(run -> !run.isOver()).toList())) {
            ask(runs, unknown)
                    .ifPresent(jobs -> runs.forEach(run -> {
                        Optional<DetachedJob> job = Optional.ofNullable(jobs.get(run.id()));
                        Optional<Run> seen = job.map(KeptRuns::state).map(run::with);
                        // A run that was not found or is lost may only seem so because other settings apply now, so
                        // this is not recorded.
                        seen.filter(each -> !isLost(job)).ifPresent(records::write);
                        told.put(run.id(), seen.orElseGet(() -> run.with(gone(run))));
                    }));
        }
        return all.stream().map(run -> told.getOrDefault(run.id(), run)).toList();
    }

    private static boolean isLost(Optional<DetachedJob> job) {
        return job.flatMap(DetachedJob::end)
                .filter(end -> end.state() == JobState.LOST)
                .isPresent();
    }

    /**
     * Returns the runs that are over. A run that its platform does not have or has lost is left out, because it may be
     * alive under other settings.
     *
     * @param said receives a sentence about such a run, and about a platform that does not answer
     */
    static List<Run> over(Runs records, Consumer<String> said) {
        List<Run> over = new ArrayList<>();
        for (Run run : upToDate(records, said)) {
            if (records.read(run.id()).filter(Run::isOver).isPresent()) {
                over.add(run);
            } else if (run.isOver()) {
                said.accept("run " + run.id() + " stays: '" + run.backend()
                        + "' does not know how it ended, or the current settings lead elsewhere. If it has ended,"
                        + " 'fiber kill "
                        + run.id() + "' notes that.");
            }
        }
        return over;
    }

    private static Optional<Map<String, DetachedJob>> ask(List<Run> runs, Consumer<String> unknown) {
        try (KeptRuns kept = KeptRuns.of(runs.get(0))) {
            return Optional.of(
                    kept.jobs().stream().collect(Collectors.toMap(DetachedJob::run, job -> job, (a, b) -> b)));
        } catch (FiberException | BackendException e) {
            unknown.accept("the state of " + runs.size() + " runs on '"
                    + runs.get(0).backend() + "' is unknown: " + e.getMessage());
            return Optional.empty();
        }
    }

    private static Run.State gone(Run run) {
        return run.state()
                .next(run.state().job(), "gone: " + run.backend() + " no longer has it")
                .ended(ExitCodes.NOT_RUN);
    }

    /**
     * Removes what ended runs have left on their platforms.
     *
     * @param unknown receives a sentence about a platform that does not remove it
     */
    static void removeWhatIsLeftOf(List<Run> over, Consumer<String> unknown) {
        for (List<Run> runs : grouped(over)) {
            List<String> sessions = runs.stream().map(Run::session).toList();
            try (Platform platform = Platform.of(runs.get(0))) {
                platform.backend().leftovers().stream()
                        .filter(leftover -> sessions.contains(leftover.sessionId()))
                        .forEach(platform.backend()::remove);
            } catch (FiberException | BackendException e) {
                unknown.accept("the leftovers of runs on '" + runs.get(0).backend() + "' stay: " + e.getMessage());
            }
        }
    }
}
