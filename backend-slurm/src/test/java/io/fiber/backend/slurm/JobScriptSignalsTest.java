// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fiber.spi.Secret;
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
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The script of jobs under the signals of Slurm, run by a real shell. */
@Timeout(120)
class JobScriptSignalsTest {

    private static final int JOBS = 24;

    @TempDir
    Path directory;

    /** Slurm's notice and its SIGTERM are two messages: they come in any order, and almost at once. (Of two at once bash may lose one.) */
    @Test
    void exitCodeIsTheProgramsWhenTwoSignalsComeTogether() throws Exception {
        Path go = directory.resolve("go");
        Path news = script("until [[ -e '" + go + "' ]]; do sleep 0.1; done; exit 7");
        List<Process> shells = IntStream.range(0, JOBS)
                .mapToObj(index -> start("bash", directory.resolve("job.sh").toString(), String.valueOf(index)))
                .toList();
        await().atMost(Duration.ofMinutes(1)).until(() -> told(news, "begun").size() == JOBS);

        String ids = shells.stream().map(shell -> String.valueOf(shell.pid())).collect(Collectors.joining(" "));
        assertThat(start(
                                "bash",
                                "-c",
                                "gap=0; for id in " + ids
                                        + "; do kill -TERM $id; for ((i = 0; i < gap; i++)); do :; done; "
                                        + "kill -USR1 $id; ((gap += 20)); done")
                        .waitFor())
                .isZero();
        Files.createFile(go);

        for (Process shell : shells) {
            assertThat(shell.waitFor()).isEqualTo(7);
        }
        assertThat(told(news, "ended"))
                .hasSize(JOBS)
                .allSatisfy(line -> assertThat(line).startsWith("7 "));
    }

    /** Writes the script of jobs that run a line of bash, and returns where their news appear. */
    private Path script(String line) throws IOException {
        Submission submission = new Submission(
                JobSpec.builder(new Program.Command(List.of("bash", "-c", line)))
                        .build(),
                IntStream.range(0, JOBS)
                        .mapToObj(index -> new Submission.Instance("worker-" + index, Secret.of(new byte[0])))
                        .toList());
        SharedFolder folder = SharedFolder.create(new LocalFiles(), directory, "abcdefghij01");
        SharedFolder.Part part = folder.part(submission.instances().stream()
                .map(Submission.Instance::bootstrap)
                .toList());
        String script = new JobScript(SiteOptions.of(SlurmFixture.options(Map.of())), "abcdefghij01", directory)
                .render(submission, part);
        Files.writeString(directory.resolve("job.sh"), script);
        return folder.path().resolve("news");
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
