// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fiber.spec.EndCause;
import io.fiber.spec.Resources;
import io.fiber.spi.backend.DetachedJob;
import io.fiber.spi.backend.DetachedJobs;
import io.fiber.spi.backend.DetachedJobs.Ending;
import io.fiber.spi.backend.DetachedJobs.Until;
import io.fiber.spi.backend.JobSpec;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs that Slurm starts again. {@link SlurmClusterTest} runs it as the user of a cluster. */
class SlurmRestartsKit {

    private static final Duration LIMIT = Duration.ofMinutes(4);

    /** A program that stops in order when it is asked to, as one with a journal does. */
    private static final String STOPS_IN_ORDER =
            "echo begins; trap 'echo stops; exit 75' TERM; for ((i = 0; i < 3000; i++)); do sleep 0.1; done";

    @TempDir
    Path directory;

    private final List<Run> runs = new ArrayList<>();

    /**
     * A run that the session which has submitted it has left to Slurm.
     *
     * @param session another one, which observes it
     * @param id of the run
     */
    private record Run(KitSession session, String id) {

        DetachedJob seen() {
            return jobs().all().stream()
                    .filter(job -> job.run().equals(id))
                    .findFirst()
                    .orElseThrow();
        }

        DetachedJobs jobs() {
            return session.detachedJobs();
        }

        /** Waits until the program has been started this many times. */
        DetachedJob awaitStarts(int starts) {
            await(starts + " starts").atMost(LIMIT).until(() -> count("begins") >= starts);
            return seen();
        }

        long count(String line) {
            return log(Until.NOW).lines().filter(line::equals).count();
        }

        String log(Until until) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try {
                jobs().copyLog(seen(), until, bytes);
            } catch (IOException | RuntimeException e) {
                // A job that waits for its first start has none.
                return "";
            }
            // Slurm's own word, when it takes a job off its node, is not the program's.
            return bytes.toString(StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("slurmstepd-"))
                    .map(line -> line + "\n")
                    .collect(Collectors.joining());
        }

        DetachedJob awaitEnd() {
            await("the end").atMost(LIMIT).until(() -> seen().end().isPresent());
            return seen();
        }
    }

    private Run start(int restarts, JobSpec.Builder spec) {
        Map<String, String> options = Map.of("partition", "debug");
        String id = UUID.randomUUID().toString().replace("-", "").substring(0, 12);
        KitSession first = new KitSession(directory, options);
        first.start(spec.restarts(restarts)
                .workingDirectory(directory)
                .labels(Map.of(DetachedJobs.RUN, id, DetachedJobs.USER, "kit")));
        assertThat(first.detachedJobs().handOver()).isTrue();
        first.close();
        Run run = new Run(new KitSession(directory, options), id);
        runs.add(run);
        return run;
    }

    private Run start(int restarts, String script) {
        return start(restarts, KitSession.shell(script));
    }

    @AfterEach
    void endAll() {
        for (Run run : runs) {
            run.jobs().end(run.seen(), Ending.FORCED);
            run.awaitEnd();
            run.session().close();
        }
    }

    private static String show(DetachedJob job) {
        return Cluster.run("scontrol", "-o", "show", "job", job.id());
    }

    @Test
    void programThatAsksForItIsStartedAgainAndItsOwnEndIsFinal() {
        Run run = start(5, "echo begins; [[ -e again ]] && exit 3; touch again; exit 75");
        run.awaitStarts(1);

        assertThat(run.log(Until.END)).isEqualTo("begins\nbegins\n");
        DetachedJob ended = run.awaitEnd();
        assertThat(ended.restarts()).isOne();
        assertThat(ended.end().orElseThrow().exitCode()).isEqualTo(OptionalInt.of(3));
        assertThat(show(ended)).contains(" Restarts=1 ");
    }

    @Test
    void runEndsWhenItsRestartsAreUsedUp() {
        Run run = start(1, "echo begins; exit 75");
        run.awaitStarts(1);

        assertThat(run.log(Until.END))
                .isEqualTo(
                        "begins\nbegins\nFBR-141 The program is not started again: its restarts (1) are used up. The last exit code is 75.\n");
        DetachedJob ended = run.awaitEnd();
        assertThat(ended.restarts()).isOne();
        assertThat(ended.end().orElseThrow().exitCode()).isEqualTo(OptionalInt.of(75));
    }

    @Test
    void jobThatIsRequeuedFromOutsideIsOneRun() {
        Run run = start(2, STOPS_IN_ORDER);
        DetachedJob first = run.awaitStarts(1);

        Cluster.run("scontrol", "requeue", first.id());
        await().atMost(LIMIT).until(() -> run.count("stops") == 1);
        assertThat(run.seen().end()).as("end while it waits for its next start").isEmpty();
        DetachedJob second = run.awaitStarts(2);

        assertThat(second.restarts()).isOne();
        assertThat(second.id()).isEqualTo(first.id());
        assertThat(second.submitted()).isEqualTo(first.submitted());
        assertThat(second.end()).isEmpty();
    }

    @Test
    void jobWhosePlaceIsNeededIsStartedAgain() {
        Run run = start(2, STOPS_IN_ORDER);
        DetachedJob first = run.awaitStarts(1);
        String node = Cluster.run("squeue", "-h", "-j", first.id(), "-o", "%N").strip();

        Cluster.takeNodes(directory, "--nodelist=" + node, "--wrap=true");
        await().atMost(LIMIT).until(() -> run.count("stops") == 1);
        assertThat(run.seen().end()).as("end while it waits for its next start").isEmpty();

        assertThat(run.awaitStarts(2).restarts()).isOne();
    }

    @Test
    void jobThatIsCancelledIsNotStartedAgain() {
        Run run = start(5, STOPS_IN_ORDER);
        DetachedJob first = run.awaitStarts(1);

        Cluster.run("scancel", first.id());

        DetachedJob ended = run.awaitEnd();
        assertThat(ended.end().orElseThrow().cause()).isEqualTo(EndCause.SIGNALLED);
        assertThat(ended.restarts()).isZero();
        assertThat(run.log(Until.NOW)).startsWith("begins\nstops\n");
    }

    @Test
    void runThatWaitsForItsNextStartIsEndedForGood() {
        Run run = start(5, "echo begins; exit 75");
        run.awaitStarts(1);

        run.jobs().end(run.seen(), Ending.ASKED);
        run.awaitEnd();

        long starts = run.count("begins");
        // The time after which a requeued job may start here.
        await().during(Duration.ofSeconds(15)).atMost(LIMIT).until(() -> run.count("begins") == starts);
    }

    /** As at a site where jobs may not be requeued. */
    @Test
    void programIsANewJobWhereJobsMayNotBeRequeued() throws IOException {
        String forbid = "scontrol update JobId=$SLURM_JOB_ID Requeue=0; ";
        Run run = start(
                3,
                forbid + "echo begins; [[ -e again ]] && sleep 1000; touch again;"
                        + " until [[ -e seen ]]; do sleep 0.1; done; exit 75");
        DetachedJob first = run.awaitStarts(1);
        Files.createFile(directory.resolve("seen"));
        DetachedJob second = run.awaitStarts(2);

        assertThat(second.id()).isNotEqualTo(first.id());
        assertThat(second.restarts()).isOne();
        assertThat(second.end()).isEmpty();
        assertThat(show(second)).contains(" Restarts=0 ").contains(" Requeue=0 ");

        run.jobs().end(second, Ending.ASKED);
        assertThat(run.awaitEnd().restarts()).isOne();
    }

    @Test
    void programThatDoesNotStopIsKilledBeforeItsTimeIsOverAndStartedAgain() {
        Run run = start(
                1,
                KitSession.shell("trap '' TERM; echo begins; for ((i = 0; i < 3000; i++)); do sleep 0.1; done")
                        .timeLimit(Duration.ofMinutes(1)));

        run.awaitStarts(1);
        DetachedJob second = run.awaitStarts(2);

        assertThat(second.restarts()).isOne();
        assertThat(show(second)).contains(" Restarts=1 ");
    }

    /** The program of the issue: more work than fits into the time of a job. */
    @Test
    @Tag("soak")
    void programWithAJournalGoesOnUntilItIsDone() throws IOException {
        int items = 60;
        Path ends = directory.resolve("ends");
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        JobSpec.Builder spec = KitSession.command(
                        "env",
                        "-u",
                        "FIBER_BOOTSTRAP",
                        java,
                        "-Xmx128m",
                        "-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir"),
                        "-cp",
                        System.getProperty("java.class.path"),
                        InsideProgram.class.getName(),
                        "sweep",
                        directory.resolve("journal").toString(),
                        ends.toString(),
                        String.valueOf(items))
                .resources(Resources.memory("400m"))
                .timeLimit(Duration.ofMinutes(1));
        Run run = start(20, spec);

        await().atMost(Duration.ofMinutes(12))
                .pollInterval(Duration.ofSeconds(2))
                .until(() -> run.seen().end().isPresent());
        DetachedJob ended = run.seen();
        assertThat(ended.end().orElseThrow().exitCode()).as(run.log(Until.NOW)).isEqualTo(OptionalInt.of(0));
        assertThat(ended.restarts()).isGreaterThanOrEqualTo(2);
        assertThat(run.log(Until.NOW).lines())
                .contains("sum "
                        + IntStream.range(0, items).map(each -> each * each).sum());
        Map<String, Long> counts = Files.readAllLines(ends).stream()
                .collect(Collectors.groupingBy(line -> line, TreeMap::new, Collectors.counting()));
        assertThat(counts).hasSize(items);
        assertThat(counts.values().stream().filter(count -> count > 1))
                .as("items that ran again, of which each end of a run has two under way")
                .hasSizeLessThanOrEqualTo(2 * ended.restarts());
    }
}
