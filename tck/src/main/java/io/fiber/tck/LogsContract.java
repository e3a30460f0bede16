// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.spi.backend.Capability;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobOutput;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Clauses BKD-72x: what becomes of a program's output. */
abstract class LogsContract extends BackendContract {

    private void awaitLog(String clauseId, ProbeJob job, String line) {
        await(
                clauseId,
                fixture().endLimit(),
                () -> job.job().logs(50).contains(line),
                () -> "the line '" + line + "' is not in logs(50): " + job.job().logs(50) + ".");
    }

    @Clause(
            id = "BKD-721",
            says = "logs returns what the program wrote, oldest first",
            check = "that lines are not joined, cut or sorted.")
    @Requires(Capability.LOGS)
    void logsAreInOrder() {
        ProbeJob job = start();
        for (int i = 0; i < 5; i++) {
            job.tell("print", "line " + i);
        }
        awaitLog("BKD-721", job, "line 4");
        assertThat(job.job().logs(50))
                .as("logs(50)")
                .containsSubsequence("line 0", "line 1", "line 2", "line 3", "line 4");
    }

    @Clause(
            id = "BKD-722",
            says = "logs has both standard output and standard error",
            check = "that both streams are kept.")
    @Requires(Capability.LOGS)
    void logsHaveBothStreams() {
        ProbeJob job = start();
        job.tell("print", "to output");
        job.tell("complain", "to error");
        awaitLog("BKD-722", job, "to output");
        awaitLog("BKD-722", job, "to error");
    }

    @Clause(
            id = "BKD-723",
            says = "logs can be read after the end, until the backend is closed",
            check = "that the last lines are read before the platform forgets the job, and before the end is told.")
    @Requires(Capability.LOGS)
    void logsOutliveTheJob() {
        ProbeJob job = start();
        job.tell("print", "last words");
        job.exit(3);
        job.ended();
        awaitLog("BKD-723", job, "last words");
    }

    @Clause(
            id = "BKD-724",
            says = "logs returns at most as many lines as asked for, and those are the last",
            check = "that the limit counts lines of both streams together.")
    @Requires(Capability.LOGS)
    void logsKeepTheirLimit() {
        ProbeJob job = start();
        for (int i = 0; i < 8; i++) {
            job.tell("print", "line " + i);
        }
        awaitLog("BKD-721", job, "line 7");
        assertThat(job.job().logs(3)).as("logs(3)").containsExactly("line 5", "line 6", "line 7");
    }

    @Clause(
            id = "BKD-725",
            says = "output to files goes to <directory>/<job name>.log, both streams, where the job runs",
            check = "that the directory is made when it is missing.")
    @Requires(Capability.SHARED_FILES)
    void outputGoesToFiles() {
        Path directory = fixture().directory().resolve("out").resolve("made by the backend");
        String token = nextName();
        ProbeJob job = start(probe(token).output(new JobOutput.Files(directory)).build(), token);
        job.tell("print", "to output");
        job.tell("complain", "to error");
        job.exit(0);
        job.ended();
        Path file = directory.resolve(job.job().name() + ".log");
        await(
                "BKD-725",
                fixture().endLimit(),
                () -> lines(file).containsAll(List.of("to output", "to error")),
                () -> "the lines are not in " + file + ", which has " + lines(file) + ".");
    }

    private static List<String> lines(Path file) {
        try {
            return Files.exists(file) ? Files.readAllLines(file) : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Clause(
            id = "BKD-726",
            says = "with CONSOLE, what a job writes appears on the console of the submitting process, line by line",
            check = "that the stream is copied while the job runs.")
    @Requires(Capability.CONSOLE)
    void outputAppearsOnTheConsole() throws IOException {
        var fixtureClass = assumePresent(fixture().masterFixture(), "masterFixture");
        String token = nextName();
        try (MasterProcess master =
                MasterProcess.start(fixture(), fixtureClass, List.of(MasterMain.CONSOLE, beacon().address(), token))) {
            await(
                    "BKD-726",
                    fixture().startLimit().multipliedBy(2),
                    () -> beacon().call(token).isPresent(),
                    () -> "the job of the second JVM did not call; that JVM wrote " + master.output() + ".");
            ProbeCall call = beacon().call(token).orElseThrow();
            call.tell("print", "seen on the console");
            await(
                    "BKD-726",
                    fixture().endLimit(),
                    () -> master.output().contains("seen on the console"),
                    () -> "the line is not on the console of the submitting JVM, which has " + master.output() + ".");
            call.tell("exit", "0");
            master.awaitExit(fixture().endLimit());
        }
    }

    @Clause(
            id = "BKD-727",
            says = "a job that writes much and is not read does not stop",
            check = "that the pipes of the program are emptied also when nobody asks for logs.")
    void chattyJobDoesNotStop() {
        ProbeJob job = start();
        String line = "x".repeat(8_000);
        for (int i = 0; i < 40; i++) {
            job.tell("print", line);
        }
        job.exit(0);
        Job handle = job.job();
        job.ended("BKD-727");
        assertThat(handle.state().isFinal()).isTrue();
    }
}
