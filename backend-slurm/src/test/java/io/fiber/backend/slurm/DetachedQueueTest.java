// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.backend.support.batch.Commands;
import io.fiber.backend.support.batch.Commands.Answer;
import io.fiber.backend.support.batch.Commands.Command;
import io.fiber.spi.backend.DetachedJob;
import io.fiber.spi.backend.DetachedJobs.Ending;
import io.fiber.spi.backend.DetachedJobs.Until;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is shown of detached jobs, with answers of Slurm's programs as they were on a cluster. */
class DetachedQueueTest {

    private static final String LABELS =
            "io.fiber.job=sleep,io.fiber.run=k3f0q8m2v7ad,io.fiber.session=abcdefghij01,io.fiber.user=anna";

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    private final List<Command> commands = new ArrayList<>();
    private final Map<String, Answer> answers = new HashMap<>(Map.of("squeue", answer(0, "")));

    private static Answer answer(int code, String output) {
        return new Answer(code, output, "");
    }

    private Answer run(Command command) {
        commands.add(command);
        return Optional.ofNullable(answers.get(command.program())).orElseGet(() -> answer(0, ""));
    }

    private DetachedQueue queue() {
        Commands scripted = this::run;
        return new DetachedQueue(
                new Slurm(scripted, Optional.empty(), SlurmFixture.COMMAND_LIMIT),
                new ScriptedHost(scripted, directory),
                () -> true);
    }

    private String row(String state, String code, String directoryOfJob) {
        return row(state, code, directoryOfJob, LABELS);
    }

    private String row(String state, String code, String directoryOfJob, String comment) {
        return row("17_0", state, code, directoryOfJob, comment);
    }

    private static String row(String id, String state, String code, String directoryOfJob, String comment) {
        return id + "|" + state + "|" + code + "|None|n2|2026-01-01T12:00:00|2026-01-01T13:00:00|2026-01-01T11:00:00|"
                + directoryOfJob + "|" + comment + "|\n";
    }

    /** Has the folder of a run hold a note of this cluster, and what its script has written at its end. */
    private void note(String cluster, String end) {
        note(cluster, end, "0|");
    }

    /** Has it hold how many times the program was started, too, and the id of the last job. */
    private void note(String cluster, String end, String starts) {
        DetachedNote note = new DetachedNote(
                "17_0", Instant.EPOCH, Path.of("/s/a/job-0"), DetachedQueue.labels(LABELS), cluster, "", 0);
        answers.put("/bin/sh", answer(0, note.text() + "|" + end + "|" + starts + "\n"));
    }

    @Test
    void jobIsFoundByItsCommentAndNoOtherJobIs() {
        answers.put(
                "squeue",
                answer(
                        0,
                        "16_0|RUNNING|0|None|n1|N/A|N/A|2026-01-01T11:00:00|/home/x|(null)|\n"
                                + row("RUNNING", "0", "/s/a/job-0")));

        assertThat(queue().all()).singleElement().satisfies(job -> {
            assertThat(job.run()).isEqualTo("k3f0q8m2v7ad");
            assertThat(job.id()).isEqualTo("17_0");
            assertThat(job.name()).isEqualTo("sleep");
            assertThat(job.sessionId()).isEqualTo("abcdefghij01");
            assertThat(job.user()).isEmpty();
            assertThat(job.state()).isEqualTo("runs on n2");
            assertThat(job.end()).isEmpty();
        });
        assertThat(commands.get(1).words()).contains("squeue", "--me", "-t", "all");
    }

    @Test
    void endOfAJobThatSlurmHasForgottenIsReadFromItsFolder() {
        note("", "7 -");

        assertThat(queue().all()).singleElement().satisfies(job -> {
            assertThat(job.end().orElseThrow().exitCode()).isEqualTo(OptionalInt.of(7));
            assertThat(job.state()).isEqualTo("exit code 7");
            assertThat(DetachedQueue.doubt(job)).isEmpty();
        });

        note("", "");
        assertThat(queue().all()).singleElement().satisfies(job -> {
            assertThat(job.state())
                    .isEqualTo(
                            "unknown: Slurm knows the job no more, and its script has left no exit code: it was ended by"
                                    + " force, or its node was lost");
            assertThat(DetachedQueue.doubt(job))
                    .contains("Slurm knows the run's job no more, and it has left no exit code");
        });
    }

    /** Clusters of a site may share the folder. */
    @Test
    void runOfAnotherClusterIsNeitherTakenForEndedNorEndedHere() {
        answers.put("scontrol", answer(0, "ClusterName             = blue\n"));
        note("green", "");
        DetachedQueue queue = queue();

        DetachedJob job = queue.all().get(0);

        assertThat(job.state()).isEqualTo("is on the cluster 'green'");
        assertThat(job.end()).isEmpty();
        commands.clear();
        assertThatThrownBy(() -> queue.end(job, Ending.FORCED))
                .hasMessage("FBR-184 The run k3f0q8m2v7ad is on the Slurm cluster 'green' and cannot be ended from the"
                        + " cluster 'blue'. Set fiber.slurm.cluster=green, or run 'fiber kill' where 'scontrol show"
                        + " config' says ClusterName = green.");
        assertThat(commands).isEmpty();

        note("green", "0 -");
        assertThat(queue.all())
                .singleElement()
                .satisfies(ended -> assertThat(ended.state()).isEqualTo("exit code 0"));
    }

    /** As a plugin of Slurm puts it in place of the job's own. */
    @Test
    void jobWithAnotherCommentIsFoundByTheNoteOfItsDirectory() {
        note("", "");
        answers.put("squeue", answer(0, row("RUNNING", "0", "/s/a/job-0", "project 7")));
        assertThat(queue().all()).singleElement().satisfies(job -> {
            assertThat(job.run()).isEqualTo("k3f0q8m2v7ad");
            assertThat(job.state()).isEqualTo("runs on n2");
        });

        answers.put("squeue", answer(0, row("RUNNING", "0", "/home/anna", "project 7")));
        assertThat(queue().all())
                .as("an id of another cluster of that name")
                .singleElement()
                .satisfies(job -> assertThat(DetachedQueue.doubt(job)).isPresent());
    }

    @Test
    void runBetweenTwoStartsIsNotTakenForEnded() {
        note("", "75 asked", "2|17_0");
        answers.put("squeue", answer(0, row("PENDING", "0", "/s/a/job-0")));
        assertThat(queue().all()).singleElement().satisfies(job -> {
            assertThat(job.end()).isEmpty();
            assertThat(job.restarts()).isOne();
            assertThat(job.submitted()).as("not the time of the requeue").isEqualTo(Instant.EPOCH);
        });

        answers.put("squeue", answer(0, row("CANCELLED", "0", "/s/a/job-0")));
        assertThat(queue().all())
                .singleElement()
                .satisfies(job -> assertThat(job.end().orElseThrow().exitCode()).isEqualTo(OptionalInt.of(75)));

        answers.put("squeue", answer(0, ""));
        assertThat(queue().all())
                .as("a run that Slurm has forgotten")
                .singleElement()
                .satisfies(job -> assertThat(job.state()).isEqualTo("exit code 75"));
    }

    @Test
    void runOfAnotherClusterMayStartAgainThereUnlessItsEndIsItsOwn() {
        answers.put("scontrol", answer(0, "ClusterName             = blue\n"));
        note("green", "75 asked", "1|17_0");
        assertThat(queue().all())
                .singleElement()
                .satisfies(job -> assertThat(job.state()).isEqualTo("is on the cluster 'green'"));

        note("green", "3 -", "1|17_0");
        assertThat(queue().all())
                .singleElement()
                .satisfies(job -> assertThat(job.state()).isEqualTo("exit code 3"));
    }

    /** As where jobs may not be requeued: the script has submitted itself again. */
    @Test
    void runOfSeveralJobsIsTheLastOneAndAllAreEnded() throws IOException {
        Path ofJob = Files.createDirectories(directory.resolve("fiber-abcdefghij01/job-0"));
        note("", "", "1|17_0");
        answers.put(
                "squeue",
                answer(
                        0,
                        row("9_0", "FAILED", "19200", ofJob.toString(), LABELS)
                                + row("101_0", "PENDING", "0", ofJob.toString(), LABELS)
                                + row("17_0", "COMPLETING", "0", ofJob.toString(), LABELS)));
        DetachedQueue queue = queue();

        DetachedJob job = queue.all().get(0);
        assertThat(queue.all()).hasSize(1);
        assertThat(job.id()).isEqualTo("101_0");
        assertThat(job.end()).isEmpty();
        commands.clear();
        queue.end(job, Ending.ASKED);

        assertThat(commands)
                .extracting(Command::words)
                .isNotEmpty()
                .allMatch(words -> words.containsAll(List.of("17_0", "101_0")))
                .noneMatch(words -> words.contains("9_0"));
        assertThat(ofJob.resolve("0.cancelled"))
                .as("the mark that keeps the script from asking for another start")
                .exists();
    }

    @Test
    void noteOfTheLastJobIsRead() {
        note("", "", "3|23_0");

        assertThat(queue().all()).singleElement().satisfies(job -> {
            assertThat(job.id()).isEqualTo("23_0");
            assertThat(job.restarts()).isEqualTo(2);
        });
    }

    @Test
    void jobWhoseFolderWasRemovedIsForgottenThoughSlurmKnowsIt() {
        answers.put("squeue", answer(0, row("COMPLETED", "0", "/s/fiber-abcdefghij01/job-0")));
        answers.put("/bin/sh", answer(0, "/s/fiber-abcdefghij01/job-0\n"));

        assertThat(queue().all()).isEmpty();
    }

    @Test
    void outputIsReadFromThePlaceThatSlurmNames() throws IOException {
        Path ofJob = Files.createDirectories(directory.resolve("other/fiber-abcdefghij01/job-0"));
        Files.writeString(ofJob.resolve("0.out"), "has begun\n");
        answers.put("squeue", answer(0, row("RUNNING", "0", ofJob.toString())));
        DetachedQueue queue = queue();
        ByteArrayOutputStream to = new ByteArrayOutputStream();

        queue.copyLog(queue.all().get(0), Until.NOW, to);

        assertThat(to.toString(StandardCharsets.UTF_8)).isEqualTo("has begun\n");
    }

    @Test
    void outputThatThisHostDoesNotSeeIsSaidToBeElsewhere() {
        answers.put("squeue", answer(0, row("RUNNING", "0", "/scratch/fiber-abcdefghij01/job-0")));
        answers.put("test", answer(1, ""));
        DetachedQueue queue = queue();
        DetachedJob job = queue.all().get(0);

        assertThatThrownBy(() -> queue.copyLog(job, Until.NOW, new ByteArrayOutputStream()))
                .hasMessage(
                        "FBR-183 The output of run k3f0q8m2v7ad (job 17_0) cannot be read from here: it is in the file"
                                + " '/scratch/fiber-abcdefghij01/job-0/0.out', which is not there on this host. A job that waits has"
                                + " none yet (now: runs on n2); else read it on a host that sees this directory, or name one by"
                                + " fiber.slurm.ssh-host.");
    }

    @Test
    void jobIsAskedToEndBeforeItIsForcedTo() {
        answers.put("squeue", answer(0, row("RUNNING", "0", "/s/a/job-0")));
        DetachedQueue queue = queue();
        DetachedJob job = queue.all().get(0);
        commands.clear();

        queue.end(job, Ending.ASKED);
        assertThat(commands).extracting(Command::words).allMatch(words -> words.contains("17_0"));
        assertThat(commands).extracting(Command::words).noneMatch(words -> words.contains("--signal=KILL"));
        queue.end(job, Ending.FORCED);
        assertThat(commands).extracting(Command::words).anyMatch(words -> words.contains("--signal=KILL"));
    }
}
