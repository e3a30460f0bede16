// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fiber.backend.support.batch.LocalFiles;
import io.fiber.backend.support.batch.SharedFolder;
import io.fiber.spec.Secret;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.Program;
import io.fiber.spi.backend.Submission;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The script of jobs under the signals of Slurm, run by a real shell. */
class JobScriptSignalsTest {

    private static final int JOBS = 24;

    /** USR1 comes to the first shell of a job, TERM to it or to all; from one job to the next they come a little further apart. */
    private static final String SENDER = """
            gap=0
            send() {
                signal %s "$@"
                for ((i = 0; i < gap; i++)); do :; done
                signal %s "$@"
                gap=$((gap + %d))
            }
            signal() {
                if [[ $1 == TERM ]]; then
                    kill -TERM "${@:2}"
                else
                    kill -USR1 "$2"
                fi
            }
            """;

    @TempDir
    Path directory;

    /** Slurm's notice and its SIGTERM are two messages: they come in any order, and almost at once. */
    @ParameterizedTest
    @CsvSource({
        "TERM, USR1, 0, all",
        "TERM, USR1, 20, all",
        "USR1, TERM, 0, all",
        "USR1, TERM, 20, all",
        "TERM, USR1, 0, first",
        "USR1, TERM, 0, first",
        "USR1, TERM, 20, first"
    })
    void nothingIsLostWhenTwoSignalsComeTogether(String first, String second, int gap, String shellsAsked)
            throws Exception {
        Path go = directory.resolve("go");
        Path ready = Files.createDirectory(directory.resolve("ready"));
        Path asked = Files.createDirectory(directory.resolve("asked"));
        Path news = script("code=6; trap 'code=7; : >\"" + asked + "/$SLURM_ARRAY_TASK_ID\"' TERM; : >'" + ready
                + "'/$SLURM_ARRAY_TASK_ID; until [[ -e '" + go + "' ]]; do sleep 0.1; done; exit $code");
        List<Process> shells = startAll();
        awaitAll(ready);

        String all = shells.stream()
                .map(shell -> "send " + shell.pid()
                        + (shellsAsked.equals("first")
                                ? ""
                                : shell.descendants()
                                        .map(child -> " " + child.pid())
                                        .collect(Collectors.joining())))
                .collect(Collectors.joining("\n", SENDER.formatted(first, second, gap), "\n"));
        assertThat(start("bash", "-c", all).waitFor()).isZero();
        await().atMost(Duration.ofMinutes(1)).until(() -> told(news, "leaving").size() == JOBS);
        awaitAll(asked);
        Files.createFile(go);

        assertEnded(shells);
        assertThat(told(news, "ended")).hasSize(JOBS).allMatch("7 asked"::equals);
    }

    /** From one job to the next, the request comes a little later after what ends the program. */
    @RepeatedTest(3)
    void exitCodeIsThatOfAProgramThatEndsWhileItIsAskedTo() throws Exception {
        Path ready = Files.createDirectory(directory.resolve("ready"));
        String fifo = "'" + directory + "/fifo.'";
        Path news = script("trap '' TERM; mkfifo " + fifo + "$SLURM_ARRAY_TASK_ID; : >'" + ready
                + "'/$SLURM_ARRAY_TASK_ID; read -r _ <" + fifo + "$SLURM_ARRAY_TASK_ID; exit 7");
        List<Process> shells = startAll();
        awaitAll(ready);

        StringBuilder sender = new StringBuilder();
        for (int i = 0; i < JOBS; i++) {
            sender.append("echo >" + fifo + i + "; for ((i = 0; i < " + i * 150 + "; i++)); do :; done; kill -TERM "
                    + shells.get(i).pid() + "\n");
        }
        start("bash", "-c", sender.toString()).waitFor();

        assertEnded(shells);
        assertThat(told(news, "ended")).hasSize(JOBS).allMatch(line -> line.startsWith("7 "));
    }

    @Test
    void programOfAStepIsAskedToEndThoughOnlyItsShellIs() throws Exception {
        Path ready = directory.resolve("ready");
        Path news = script("trap 'exit 3' TERM; : >'" + ready + "'; while :; do sleep 0.1; done");
        Process shell = start("bash", directory.resolve("job.sh").toString(), "0");
        await().atMost(Duration.ofMinutes(1)).until(() -> Files.exists(ready));

        shell.destroy();

        assertThat(shell.waitFor()).isEqualTo(3);
        assertThat(told(news, "ended")).containsExactly("3 asked");
    }

    /** Where Slurm follows jobs by control groups, a signal comes to the first shell alone. */
    @Test
    void programOfAJobIsAskedToEndThoughOnlyItsFirstShellIs() throws Exception {
        Path ready = directory.resolve("ready");
        Path news = script("trap 'exit 3' TERM; : >'" + ready + "'; while :; do sleep 0.1; done");
        Process shell = start(
                "env",
                "SLURM_ARRAY_TASK_ID=0",
                "bash",
                directory.resolve("job.sh").toString());
        await().atMost(Duration.ofMinutes(1)).until(() -> Files.exists(ready));

        shell.destroy();

        assertThat(shell.waitFor()).isEqualTo(3);
        assertThat(told(news, "ended")).containsExactly("3 asked");
    }

    /** Writes the script of jobs that run a line of bash, and returns where their news appear. */
    private Path script(String line) throws IOException {
        Submission submission = new Submission(
                JobSpec.builder(new Program.Command(List.of("bash", "-c", line)))
                        .build(),
                IntStream.range(0, JOBS)
                        .mapToObj(index -> new Submission.Instance("worker-" + index, Secret.of(new byte[0])))
                        .toList());
        SharedFolder folder =
                SharedFolder.create(SlurmBackendProvider.SHOWN, new LocalFiles(), directory, "abcdefghij01");
        SharedFolder.Part part = folder.part(submission);
        String script = new JobScript(SiteOptions.of(SlurmFixture.options(Map.of())), directory, new BadNodes(), true)
                .render(submission, part);
        Files.writeString(directory.resolve("job.sh"), script);
        return folder.path().resolve("news");
    }

    private List<Process> startAll() {
        String job = directory.resolve("job.sh").toString();
        return IntStream.range(0, JOBS)
                .mapToObj(index -> start("env", "SLURM_ARRAY_TASK_ID=" + index, "bash", job))
                .toList();
    }

    private static void awaitAll(Path ready) {
        await().atMost(Duration.ofMinutes(1)).until(() -> ready.toFile().list().length == JOBS);
    }

    private static void assertEnded(List<Process> shells) throws InterruptedException {
        for (Process shell : shells) {
            assertThat(shell.waitFor(1, TimeUnit.MINUTES))
                    .as("shell %s ended", shell.pid())
                    .isTrue();
            assertThat(shell.exitValue()).isEqualTo(7);
        }
    }

    private Process start(String... command) {
        try {
            return new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(directory.resolve("output").toFile())
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The lines that jobs have told of one kind. */
    private static List<String> told(Path news, String kind) throws IOException {
        try (var files = Files.list(news)) {
            return files.filter(file -> file.toString().endsWith("-" + kind))
                    .map(JobScriptSignalsTest::lineOf)
                    .toList();
        }
    }

    private static String lineOf(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
