// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code fiber run --restarts} on {@code local}, where the command itself, or a run's keeper, starts the program again. */
@Tag("slow")
class RestartsTest extends CliFixture {

    private static final Duration LIMIT = Duration.ofSeconds(200);
    private static final long PAUSE_S = 30;
    private static final int AFTER_CTRL_C = 130;

    /** Says which start this is, and puts that into {@code n}. */
    private static final String COUNT = "echo x >> starts; n=$(wc -l < starts); echo start $n $$; ";

    private static final String WAIT = "while :; do sleep 0.1; done";

    private String kept = "";

    @Test
    void programThatStopsInOrderIsStartedAgainAtOnceUntilItIsDone() throws Exception {
        Cli.Result result = run("5", COUNT + "[ $n -gt 2 ] || exit 75");

        assertThat(result.out().replaceAll(" \\d+\n", "\n")).as(result.err()).isEqualTo("start 1\nstart 2\nstart 3\n");
        assertThat(result.err())
                .containsPattern("fiber: job \\d+ has ended: exit code 75. Restart 1 of 5 follows at once.\n")
                .containsPattern("fiber: job \\d+ has ended: exit code 75. Restart 2 of 5 follows at once.\n")
                .doesNotContain("Restart 3", "as often as");
        assertThat(result.code()).isZero();
        assertThat(cli.run("ps").out().lines()).hasSize(1);
    }

    @Test
    void lastCodeIsReturnedWhenNoRestartIsLeft() throws Exception {
        Cli.Result result = run("1", COUNT + "exit 75");
        Cli.Result without = run("0", COUNT + "exit 75");
        Cli.Result quiet = cli.run("run", "--quiet", "--restarts", "1", "--", "sh", "-c", COUNT + "exit 75");

        assertThat(result.code()).isEqualTo(75);
        assertThat(result.err())
                .contains("fiber: the program has been started again 1 time, as often as --restarts allows. With a"
                        + " journal, it goes on if you run it again.\n");
        assertThat(without.code()).isEqualTo(75);
        assertThat(without.err()).doesNotContain("estart");
        assertThat(quiet.err()).isEmpty();
        assertThat(starts()).isEqualTo(2 + 1 + 2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"exit 7", "exit 0", "kill -SEGV $$"})
    void programsOwnEndIsItsLast(String end) throws Exception {
        Cli.Result result = run("3", COUNT + end);

        assertThat(starts()).as(result.err()).isEqualTo(1);
        assertThat(result.err()).doesNotContain("Restart");
    }

    @Test
    void killedProgramIsStartedAgainWhenItsWorkersHaveEnded() throws Exception {
        Process process = started("1", COUNT + "[ $n -gt 1 ] || " + WAIT);
        try (BufferedReader out = process.inputReader()) {
            Cli.signal("KILL", pidOfStart(1, out));
            long killedNs = System.nanoTime();
            await().atMost(LIMIT)
                    .untilAsserted(() -> assertThat(cli.run("ps").out()).contains("restart 1: starts again in 30 s"));

            pidOfStart(2, out);
            assertThat(Duration.ofNanos(System.nanoTime() - killedNs)).isGreaterThan(Duration.ofSeconds(PAUSE_S));
            assertThat(process.waitFor()).isZero();
            assertThat(errors())
                    .containsPattern("has ended: signalled \\(exit code 137\\): .*\\. Restart 1 of 1 follows in 30 s,"
                            + " when the workers of the program have ended\\.\n");
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void ctrlCEndsTheProgramForGood() throws Exception {
        Process process = started("3", "trap 'exit 75' TERM; " + COUNT + WAIT);
        try (BufferedReader out = process.inputReader()) {
            pidOfStart(1, out);
            Cli.signal("INT", process.pid());

            assertThat(process.waitFor()).isEqualTo(AFTER_CTRL_C);
            assertThat(starts()).isEqualTo(1);
            assertThat(errors()).doesNotContain("Restart");
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void ctrlCInThePauseEndsTheProgramForGood() throws Exception {
        Process process = started("3", COUNT + WAIT);
        try (BufferedReader out = process.inputReader()) {
            Cli.signal("KILL", pidOfStart(1, out));
            await().atMost(LIMIT).until(() -> errors().contains("Restart 1 of 3 follows in 30 s"));
            long signalledNs = System.nanoTime();
            Cli.signal("INT", process.pid());

            assertThat(process.waitFor()).isEqualTo(AFTER_CTRL_C);
            assertThat(Duration.ofNanos(System.nanoTime() - signalledNs)).isLessThan(Duration.ofSeconds(PAUSE_S));
            assertThat(starts()).isEqualTo(1);
            assertThat(errors()).endsWith("fiber: the program is not started again: cancelled\n");
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void detachedRunShowsItsRestartsAndIsKilledForGood() throws Exception {
        String script = "trap 'echo asked; exit 75' TERM; " + COUNT + "[ $n -gt 2 ] || exit 75; " + WAIT;
        String id = detached(script);
        await().atMost(LIMIT).until(() -> cli.run("logs", id).out().contains("start 3"));

        assertThat(cli.run("ps").out()).contains("restart 2: runs on localhost");
        assertThat(cli.run("ps", "--json").out()).contains("\"state\":\"runs on localhost\",\"restarts\":2");
        assertThat(cli.run("kill", id).out()).startsWith(id + "  cancelled");
        assertThat(cli.run("logs", id).out())
                .contains("start 1 ", "start 2 ", "start 3 ", "Restart 2 of 9 follows at once", "asked\n");
        assertThat(cli.run("ps", "--json").out()).contains("\"restarts\":2,\"exitCode\":143,\"over\":true");
        assertThat(starts()).isEqualTo(3);
    }

    @Test
    void detachedRunIsKilledInThePauseForGood() throws Exception {
        String id = detached(COUNT + WAIT);
        await().atMost(LIMIT).until(() -> cli.run("logs", id).out().contains("start 1 "));
        Matcher pid =
                Pattern.compile("start 1 (\\d+)").matcher(cli.run("logs", id).out());
        assertThat(pid.find()).isTrue();
        Cli.signal("KILL", Long.parseLong(pid.group(1)));
        await().atMost(LIMIT).until(() -> cli.run("ps").out().contains("starts again in 30 s"));

        assertThat(cli.run("kill", id).out()).isEqualTo(id + "  cancelled\n");
        assertThat(cli.run("ps", "--json").out()).contains("\"exitCode\":143,\"over\":true");
        assertThat(starts()).isEqualTo(1);
    }

    @Test
    void programThatCannotBeStartedAgainHasEnded() throws Exception {
        Path program = Files.writeString(directory.resolve("program"), "#!/bin/sh\nrm program\nexit 75\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();
        Cli.Result attached = cli.run("run", "--restarts", "3", "--", program.toString());
        Files.writeString(program, "#!/bin/sh\nrm program\nexit 75\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();
        String id = cli.run("run", "--detach", "--restarts", "3", "--", program.toString())
                .out()
                .strip();

        assertThat(attached.code()).isEqualTo(125);
        assertThat(attached.err())
                .contains("Restart 1 of 3 follows at once.\n")
                .contains("fiber: the program is not started again: start failed: FBR-139 Process 'program-1' cannot be"
                        + " started: ");
        await().atMost(LIMIT).until(() -> cli.run("ps", "--json").out().contains("\"exitCode\":125,\"over\":true"));
        assertThat(cli.run("ps", "--no-trunc").out()).contains(id, "start failed: FBR-139");
    }

    @Test
    void programWithAJournalGoesOnWhereItsTimeLimitEndedIt() throws Exception {
        String jars = ExampleJars.classPath(Files.createDirectory(directory.resolve("program")), "journal");
        int items = 80;
        Cli.Result result = cli.run(
                "run",
                "--backend",
                "local",
                "--time-limit",
                "8s",
                "--restarts",
                "20",
                "-e",
                "FIBER_STOP_NOTICE=1s",
                "--",
                "java",
                "-cp",
                jars,
                JournaledSquares.class.getName(),
                directory.toString(),
                Integer.toString(items),
                "250");

        // Two workers need 10 s for the tasks, so no run of 8 s can finish without the results of earlier ones.
        assertThat(result.code()).as(result.err()).isZero();
        assertThat(result.err())
                .contains("has ended: time limit", "Restart 1 of 20 follows")
                .doesNotContain(".. Restart");
        Matcher sum = Pattern.compile("sum (\\d+) of (\\d+) tasks").matcher(result.out());
        assertThat(sum.find()).as(result.out()).isTrue();
        assertThat(Long.parseLong(sum.group(1))).isEqualTo((items - 1L) * items * (2L * items - 1) / 6);
        assertThat(Integer.parseInt(sum.group(2))).isBetween(items, 2 * items);
    }

    @Test
    void numberOfRestartsIsChecked() throws Exception {
        for (String wrong : List.of("-1", "1.5", "often", "99999999999")) {
            Cli.Result result = cli.run("run", "--restarts=" + wrong, "--", "true");

            assertThat(result.code()).isEqualTo(125);
            assertThat(result.err())
                    .startsWith("Invalid value for option '--restarts': '" + wrong
                            + "'; expected a whole number between 0 and 2147483647\n");
        }
        assertThat(cli.run("run", "-i", "--restarts", "1", "--", "true").err())
                .startsWith("--interactive and --restarts contradict each other: the first start consumes the input.");
    }

    @Test
    void dryRunShowsTheSameJob() throws Exception {
        Cli.Result once = cli.run("run", "--dry-run", "--", "hostname");
        Cli.Result again = cli.run("run", "--dry-run", "--restarts", "3", "--", "hostname");

        assertThat(again).isEqualTo(once);
        assertThat(again.code()).isZero();
    }

    @Test
    void platformThatCannotStartAProgramAgainIsNotHandedTheRun() throws Exception {
        try (RefusingPlatform platform = new RefusingPlatform()) {
            Cli.Result result = cli.with("DOCKER_HOST", platform.url("tcp"))
                    .run("run --backend docker --detach --restarts 3 --image any -- true".split(" ", -1));

            assertThat(result.code()).isEqualTo(125);
            assertThat(result.err())
                    .isEqualTo(
                            "fiber: FBR-571 --detach hands the run over to the backend 'docker', which cannot start a"
                                    + " program again (--restarts 3). Leave --detach out: this command then stays and starts the"
                                    + " program again.\n");
            assertThat(directory.resolve("state/fiber/runs")).isEmptyDirectory();
        }
    }

    @AfterEach
    void noRunIsLeft() throws Exception {
        if (!kept.isEmpty()) {
            cli.run("kill", "--now", kept);
        }
    }

    private Cli.Result run(String restarts, String script) throws IOException, InterruptedException {
        return cli.run("run", "--restarts", restarts, "--", "sh", "-c", script);
    }

    private String detached(String script) throws IOException, InterruptedException {
        kept = cli.run("run", "--detach", "--restarts", "9", "--", "sh", "-c", script)
                .out()
                .strip();
        return kept;
    }

    private Process started(String restarts, String script) throws IOException {
        return cli.builder("run", "--restarts", restarts, "--", "sh", "-c", script)
                .redirectError(directory.resolve("errors").toFile())
                .start();
    }

    private static long pidOfStart(int number, BufferedReader out) throws IOException {
        String start = "start " + number + " ";
        String line = out.readLine();
        assertThat(line).startsWith(start);
        return Long.parseLong(line.substring(start.length()));
    }

    private String errors() throws IOException {
        return Files.readString(directory.resolve("errors"));
    }

    private int starts() throws IOException {
        return Files.readAllLines(directory.resolve("starts")).size();
    }
}
