// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.backend;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.spec.Secret;
import io.fiber.spi.backend.BackendUnavailableException;
import io.fiber.spi.backend.Capability;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobOutput;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.Submission;
import io.fiber.tck.clause.Clause;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

/** Clauses BKD-72x: what happens to a program's output. */
abstract class LogsContract extends BackendContract {

    private static final int LONG_LINE = 6_000;
    private static final int LONG_LINES = 40;
    private static final int MANY_LINES = 130;
    private static final int KEPT_LINES = 100;
    private static final int FILLING = 80;
    private static final String LETTERS = "gr\u00fc\u00dfe";

    private void awaitLog(String clauseId, ProbeJob job, String line) {
        await(
                clauseId,
                fixture().endLimit(),
                () -> job.job().logs(50).contains(line),
                () -> "the line '" + line + "' is not in logs(50): " + job.job().logs(50) + ".");
    }

    @Clause(
            id = "BKD-721",
            says = "logs returns what the program wrote, oldest first, including empty lines and blanks",
            check = "that lines are not joined, cut, trimmed, left out or sorted.")
    @Requires(Capability.LOGS)
    void logsAreInOrder() {
        ProbeJob job = start();
        List<String> lines = List.of("line 0", "", "  line 2 ", "\tline 3", "line 4");
        lines.forEach(line -> job.tell("print", line));
        awaitLog("BKD-721", job, "line 4");
        assertThat(job.job().logs(50)).as("logs(50)").containsSequence(lines);
    }

    @Clause(
            id = "BKD-722",
            says = "logs contains both standard output and standard error, while the job runs",
            check = "that both streams are kept, and that neither waits for the end of the job.")
    @Requires(Capability.LOGS)
    void logsHaveBothStreams() {
        ProbeJob job = start();
        job.tell("print", "to output");
        job.tell("complain", "to error");
        for (String line : List.of("to output", "to error")) {
            await(
                    "BKD-722",
                    fixture().endLimit(),
                    () -> job.job().logs(50).contains(line),
                    () -> "while the job runs, the line '" + line + "' is not in logs(50): "
                            + job.job().logs(50) + ".");
        }
    }

    @Clause(
            id = "BKD-723",
            says = "logs can be read after the end until the backend is closed, even for a job that never ran",
            check = "that the last lines are read before the platform forgets the job, and before the"
                    + " end is reported, and that the empty log of a job that never ran is not an error.")
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
            says = "logs returns the last lines, at most as many as requested, however large that number is, and"
                    + " the list does not change",
            check = "that the limit counts lines of both streams together, that 0 means none, that no"
                    + " memory is reserved for the requested number of lines, and that the list is a copy.")
    @Requires(Capability.LOGS)
    void logsKeepTheirLimit() {
        ProbeJob job = start();
        for (int i = 0; i < 8; i++) {
            job.tell("print", "line " + i);
        }
        awaitLog("BKD-721", job, "line 7");
        List<String> three = job.job().logs(3);
        assertThat(three).as("logs(3)").containsExactly("line 5", "line 6", "line 7");
        assertThat(job.job().logs(0)).as("logs(0)").isEmpty();
        assertThat(job.job().logs(Integer.MAX_VALUE))
                .as("logs(%s)", Integer.MAX_VALUE)
                .contains("line 0", "line 7");
        job.tell("print", "line 8");
        awaitLog("BKD-721", job, "line 8");
        assertThat(three)
                .as("what logs(3) returned, when more was written")
                .containsExactly("line 5", "line 6", "line 7");
    }

    @Clause(
            id = "BKD-725",
            says = "output to files writes both streams to <directory>/<job name>.log, where the job runs, and to logs",
            check = "that the directory is made when it is missing, and that logs has what was written there.")
    @Requires(Capability.SHARED_FILES)
    void outputGoesToFiles() {
        Path directory = fixture().directory().resolve("out").resolve("made by the backend");
        String token = nextName();
        ProbeJob job = start(probe(token).output(new JobOutput.Files(directory)).build(), token);
        job.tell("print", "to output");
        job.tell("complain", "to error");
        if (fixture().capabilities().contains(Capability.LOGS)) {
            awaitLog("BKD-725", job, "to output");
        }
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
            says = "with CONSOLE, a job's output appears on the console of the submitting process line by line, to"
                    + " the last character",
            check = "that both streams are copied while the job runs, and that a last line without a"
                    + " line break is copied, too.")
    @Requires(Capability.CONSOLE)
    void outputAppearsOnTheConsole() throws IOException {
        var fixtureClass = assumePresent(fixture().masterFixture(), "masterFixture");
        String token = nextName();
        try (MasterProcess master = MasterProcess.start(
                fixture(), MasterMain.class, fixtureClass, List.of(MasterMain.CONSOLE, beacon().address(), token))) {
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
            call.tell("complain", "told as an error");
            call.tell("write", "without an end");
            call.tell("exit", "0");
            master.awaitExit(fixture().endLimit());
            assertThat(master.output())
                    .as("what the submitting JVM had on its console at its end")
                    .contains("told as an error", "without an end");
        }
    }

    @Clause(
            id = "BKD-727",
            says = "a job that writes much output does not stop if nobody reads it",
            check = "that the pipes of the program are emptied even if nobody asks for logs.")
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

    @Clause(
            id = "BKD-728",
            says = "a line is one line in logs, even if it is long or written in parts",
            check = "sizes of buffers, and that the beginning of a line waits for its end.")
    @Requires(Capability.LOGS)
    void linesAreWhole() {
        ProbeJob job = start();
        String line = "y".repeat(LONG_LINE);
        job.tell("print", line);
        awaitLog("BKD-728", job, line);
        job.tell("write", "written ");
        job.job().logs(50);
        job.tell("write", "in ");
        job.tell("print", "parts");
        awaitLog("BKD-728", job, "written in parts");
    }

    @Clause(
            id = "BKD-729",
            says = "logs returns non-ASCII characters as the program wrote them",
            check = "that bytes are decoded line by line, with the charset of the machine, or with UTF-8"
                    + " if it names none.")
    @Requires(Capability.LOGS)
    void lettersAreKept() {
        ProbeJob job = start();
        job.tell("write", LETTERS + "\n");
        awaitLog("BKD-729", job, LETTERS);
    }

    @Clause(
            id = "BKD-730",
            says = "the output of a job is in its own log and in no other",
            check = "how files and streams are named after jobs, in particular those of one submission.")
    @Requires(Capability.LOGS)
    void logsAreApart() {
        String token = nextName();
        EventRecorder recorder = recorder();
        List<Submission.Instance> instances = List.of(
                new Submission.Instance(nextName(), Secret.empty()),
                new Submission.Instance(nextName(), Secret.empty()));
        List<Job> jobs = submit(backend(), new Submission(probe(token).build(), instances), recorder);
        awaitCalls(jobs, recorder, token);
        assertThat(beacon().calls(token)).as("programs that called").hasSize(jobs.size());
        List<String> words = List.of("of the one", "of the other");
        for (int i = 0; i < words.size(); i++) {
            beacon().calls(token).get(i).tell("print", words.get(i));
        }
        exitAll(jobs, recorder, token, "0");
        for (Job job : jobs) {
            await(
                    "BKD-730",
                    fixture().endLimit(),
                    () -> job.logs(50).stream().anyMatch(words::contains),
                    () -> "the log of " + job.name() + " has no line of its program: " + job.logs(50) + ".");
        }
        assertThat(jobs.stream()
                        .flatMap(job -> job.logs(50).stream())
                        .filter(words::contains)
                        .toList())
                .as("lines of two programs in their two logs")
                .containsExactlyInAnyOrderElementsOf(words);
    }

    @Clause(
            id = "BKD-731",
            says = "logs returns as many lines as requested, up to a hundred, if the job has written that many,"
                    + " however much it has written before",
            check = "how many lines are kept, how much is read from the end of a file, and what remains of a log"
                    + " that is cut.")
    @Requires(Capability.LOGS)
    void logsKeepAHundredLines() {
        ProbeJob job = start();
        for (int i = 0; i < LONG_LINES; i++) {
            job.tell("print", "x".repeat(LONG_LINE));
        }
        List<String> lines = IntStream.range(0, MANY_LINES)
                .mapToObj(number -> "line " + number + " " + "z".repeat(FILLING))
                .toList();
        job.tell("print", String.join("\n", lines));
        awaitLog("BKD-721", job, lines.get(MANY_LINES - 1));
        assertThat(job.job().logs(KEPT_LINES))
                .as("logs(%s) of %s lines", KEPT_LINES, MANY_LINES)
                .isEqualTo(lines.subList(MANY_LINES - KEPT_LINES, MANY_LINES));
    }

    @Clause(
            id = "BKD-732",
            says = "output to an existing file is appended",
            check = "how the file is opened: a job of the same name, or a second run of a program, has written it.")
    @Requires(Capability.SHARED_FILES)
    void outputIsAppended() throws IOException {
        Path directory = Files.createDirectories(fixture().directory().resolve("appended"));
        String token = nextName();
        String name = nextName();
        Path file = directory.resolve(name + ".log");
        Files.writeString(file, "of an earlier job\n");
        EventRecorder recorder = recorder();
        JobSpec spec = probe(token).output(new JobOutput.Files(directory)).build();
        Job submitted = submit(backend(), Submission.of(spec, name, Secret.empty()), recorder)
                .get(0);
        ProbeJob job = new ProbeJob(this, submitted, recorder, token);
        job.tell("print", "of this job");
        job.exit(0);
        job.ended();
        await(
                "BKD-725",
                fixture().endLimit(),
                () -> lines(file).contains("of this job"),
                () -> "the line is not in " + file + ", which has " + lines(file) + ".");
        assertThat(lines(file)).as("lines of %s", file).contains("of an earlier job");
    }

    @Clause(
            id = "BKD-733",
            says = "when the end of a job is reported, its last lines are in logs, even without a final line break",
            check = "that the end is reported after the streams have ended, not only after the process,"
                    + " and what happens to an incomplete line.")
    @Requires(Capability.LOGS)
    void lastLinesComeBeforeTheEnd() {
        ProbeJob job = start();
        job.call().tell("print", "the last line but one");
        job.call().tell("write", "the last line");
        job.exit(3);
        job.ended();
        assertThat(job.job().logs(50))
                .as("logs(50) when the end was told")
                .contains("the last line but one", "the last line");
    }

    @Clause(
            id = "BKD-734",
            says = "after an outage, logs contains the output from before, during and after it, each line once",
            check = "where reading continues when the platform answers again.")
    @Requires(Capability.LOGS)
    void outageTakesNoLineAndDoublesNone() {
        BackendFixture.Outage outage = assumePresent(fixture().outage(), "outage");
        ProbeJob job = start().running();
        job.tell("print", "written before");
        awaitLog("BKD-721", job, "written before");
        outage.begin();
        try {
            job.tell("print", "written during");
        } finally {
            outage.end();
        }
        job.tell("print", "written after");
        await(
                "BKD-734",
                fixture().endLimit(),
                () -> written(job).contains("written after"),
                () -> "the line 'written after' is not in logs(50).");
        assertThat(written(job))
                .as("what was written around an outage")
                .containsExactly("written before", "written during", "written after");
    }

    /** Returns nothing if the platform still does not answer. */
    private static List<String> written(ProbeJob job) {
        try {
            return job.job().logs(50).stream()
                    .filter(line -> line.startsWith("written "))
                    .toList();
        } catch (BackendUnavailableException e) {
            return List.of();
        }
    }
}
