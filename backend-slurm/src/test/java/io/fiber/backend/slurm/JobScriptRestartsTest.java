// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fiber.backend.support.batch.LocalFiles;
import io.fiber.backend.support.batch.SharedFolder;
import io.fiber.spec.Secret;
import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.DetachedJobs;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.Program;
import io.fiber.spi.backend.Submission;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The script of a job whose program is started again, run by a real shell; other programs stand for those of Slurm. */
class JobScriptRestartsTest {

    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final String NAME = "fiber-abcdefghij01-0";

    @TempDir
    Path directory;

    private Path folder;
    private Path news;

    /** What Slurm's programs were asked. */
    private Path asked;

    @BeforeEach
    void standIn() throws IOException {
        asked = directory.resolve("asked");
        folder = directory.resolve("fiber-abcdefghij01/job-0");
        news = directory.resolve("fiber-abcdefghij01/news");
        Files.createDirectory(directory.resolve("bin"));
        for (String program : List.of("scontrol", "sbatch", "scancel")) {
            standFor(program, "exit 0");
        }
    }

    private void standFor(String program, String then) throws IOException {
        Path file = directory.resolve("bin").resolve(program);
        Files.writeString(file, "#!/bin/bash\necho \"" + program + " $*\" >>'" + asked + "'\n" + then + "\n");
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    private List<String> asked() throws IOException {
        return Files.exists(asked) ? Files.readAllLines(asked) : List.of();
    }

    private String script(int restarts, String program) {
        return script(restarts, program, Map.of());
    }

    /** Returns the script of a program in bash, whose starts need not wait for workers of the start before. */
    private String script(int restarts, String program, Map<String, String> options) {
        return render(restarts, program, options).replace("\nfiber_pause=30\n", "\nfiber_pause=0\n");
    }

    private String render(int restarts, String program, Map<String, String> options) {
        Submission submission = Submission.of(
                JobSpec.builder(new Program.Command(List.of("bash", "-c", program)))
                        .labels(Map.of(DetachedJobs.RUN, "k3f0q8m2v7ad", DetachedJobs.USER, "anna"))
                        .timeLimit(Duration.ofMinutes(1))
                        .restarts(restarts)
                        .build(),
                "program",
                Secret.empty());
        SharedFolder.Part part = SharedFolder.create(
                        SlurmBackendProvider.SHOWN, new LocalFiles(), directory, "abcdefghij01")
                .part(submission);
        return new JobScript(SiteOptions.of(SlurmFixture.options(options)), directory, new BadNodes(), true)
                .render(submission, part);
    }

    private Process start(String script) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                        "bash",
                        Files.writeString(directory.resolve("script"), script).toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        directory.resolve("output").toFile()));
        Map<String, String> environment = builder.environment();
        environment.put("PATH", directory.resolve("bin") + ":" + environment.get("PATH"));
        environment.put("HOME", directory.toString());
        environment.put("SLURM_CONF", "/etc/slurm.conf");
        environment.put("SLURM_JOB_ID", "18");
        environment.put("SLURM_ARRAY_JOB_ID", "17");
        environment.put("SLURM_ARRAY_TASK_ID", "0");
        return builder.start();
    }

    private int run(String script) throws Exception {
        return start(script).waitFor();
    }

    private Path ended() {
        return news.resolve("0-0-ended");
    }

    private String output() throws IOException {
        return Files.readString(directory.resolve("output"));
    }

    private Process startAndAwait(String script, String line) throws IOException {
        Process job = start(script);
        await().atMost(LIMIT).until(() -> output().contains(line));
        return job;
    }

    private static void signal(Process job, String name) throws Exception {
        // The shell's own: a bare machine has no other.
        assertThat(new ProcessBuilder("/bin/sh", "-c", "kill -" + name + " " + job.pid())
                        .start()
                        .waitFor())
                .isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ":",
                "shopt -s failglob; set -f",
                "set -euo pipefail; IFS=$'\\n\\t'",
                "set -E; trap 'exit 1' ERR",
                "set -o posix",
                "set -Cm",
                "start=$SECONDS most=0 last=7 notice=0 noticed=noticed asked=asked; request() { return 1; }"
            })
    void programThatAsksForItIsStartedAgainWhateverOptionsAPrologueSets(String prologue) throws Exception {
        String script = script(2, "[[ -e again ]] && exit 3; touch again; exit 75", Map.of("prologue", prologue));

        assertThat(run(script)).isEqualTo(75);
        assertThat(asked()).containsExactly("scontrol requeue 18");
        assertThat(ended()).as("news of an end that is not that of the run").doesNotExist();
        assertThat(run(script)).isEqualTo(3);

        assertThat(asked()).hasSize(1);
        assertThat(ended()).hasContent("3 -");
        assertThat(folder.resolve("0.start.1")).hasContent("17_0");
        assertThat(folder.resolve("0.start.2")).exists();
        assertThat(folder.resolve("0.start.3")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(ints = {129, 130, 137, 143})
    void programThatASignalFromOutsideEndsIsStartedAgain(int code) throws Exception {
        assertThat(run(script(1, "exit " + code))).isEqualTo(code);
        assertThat(asked()).containsExactly("scontrol requeue 18");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 134, 139})
    void programThatEndsByItselfIsNot(int code) throws Exception {
        assertThat(run(script(1, "exit " + code))).isEqualTo(code);
        assertThat(asked()).isEmpty();
        assertThat(ended()).hasContent(code + " -");
    }

    @Test
    void requestToEndThatIsNoNoticeEndsTheRun() throws Exception {
        Process job =
                startAndAwait(script(1, "trap 'exit 75' TERM; echo begins; while :; do sleep 0.1; done"), "begins");

        signal(job, "TERM");

        assertThat(job.waitFor()).isEqualTo(75);
        assertThat(asked()).isEmpty();
        assertThat(ended()).hasContent("75 asked");
    }

    @Test
    void programIsAskedToEndAtTheNoticeAndStartedAgain() throws Exception {
        Process job = startAndAwait(
                script(1, "trap 'exit 75' TERM; echo begins with ${FIBER_STOP_NOTICE}; while :; do sleep 0.1; done"),
                "begins with 5s\n");

        signal(job, "USR1");

        assertThat(job.waitFor()).isEqualTo(75);
        assertThat(asked()).containsExactly("scontrol requeue 18");
        assertThat(news.resolve("0-0-leaving")).exists();
    }

    @Test
    void programThatDoesNotEndIsKilledAndStartedAgain() throws Exception {
        Process job = startAndAwait(
                script(1, "trap '' TERM; echo begins; exec sleep 600")
                        .replace("\nfiber_notice=15\n", "\nfiber_notice=7\n"),
                "begins");

        signal(job, "USR1");

        assertThat(job.waitFor()).isEqualTo(137);
        assertThat(asked()).containsExactly("scontrol requeue 18");
    }

    @Test
    void scriptIsSubmittedAgainWhereJobsMayNotBeRequeued() throws Exception {
        standFor("scontrol", "echo 'Requested operation is presently disabled' >&2; exit 1");
        standFor("sbatch", "env | grep ^SLURM_ >>'" + asked + "'");

        assertThat(run(script(1, "exit 75"))).isEqualTo(75);

        assertThat(asked())
                .containsExactly(
                        "scontrol requeue 18",
                        "sbatch --parsable --time=1 " + folder.resolve("job.sh"),
                        "SLURM_CONF=/etc/slurm.conf");
        assertThat(ended()).doesNotExist();
    }

    @Test
    void siteThatAllowsNeitherIsSaid() throws Exception {
        standFor("scontrol", "echo 'is disabled' >&2; exit 1");
        standFor("sbatch", "echo 'Access denied' >&2; exit 1");

        assertThat(run(script(1, "exit 75"))).isEqualTo(75);

        assertThat(output())
                .isEqualTo(
                        "FBR-141 The program is not started again: the system neither requeues its job (is disabled) nor"
                                + " takes a new one (Access denied).\n");
        assertThat(ended()).hasContent("75 -");
    }

    @Test
    void programIsToldThatItsDirectoryIsMissing() throws Exception {
        String missing = directory.resolve("missing").toString();
        String script = script(1, "pwd; exit 3").replace("cd -- '" + directory + "'", "cd -- '" + missing + "'");

        assertThat(run(script)).isEqualTo(3);
        assertThat(output())
                .endsWith(" does not have this run's directory. The program starts in " + directory
                        + ": a journal needs an absolute path.\n" + directory + "\n");
    }

    @Test
    void startsAreCounted() throws Exception {
        String script = script(1, "echo begins; exit 75");
        String usedUp =
                "FBR-141 The program is not started again: its restarts (1) are used up. The last exit code is 75.\n";

        assertThat(run(script)).isEqualTo(75);
        assertThat(run(script)).isEqualTo(75);
        assertThat(asked()).hasSize(1);
        assertThat(ended()).hasContent("75 -");
        assertThat(run(script)).as("a requeue from outside").isEqualTo(75);
        assertThat(ended()).hasContent("75 -");
        assertThat(output()).isEqualTo("begins\nbegins\n" + usedUp);
    }

    /** As by 'scontrol requeue' of a job that has ended. */
    @Test
    void programThatHasEndedByItselfIsNotStartedBySomebodyElse() throws Exception {
        String script = script(2, "echo begins; exit 3");

        assertThat(run(script)).isEqualTo(3);
        assertThat(run(script)).isEqualTo(3);

        assertThat(output()).isEqualTo("begins\n");
        assertThat(ended()).hasContent("3 -");
    }

    @Test
    void requestToEndDuringTheWaitForWorkersEndsTheRun() throws Exception {
        String script = render(9, "echo begins; exit 137", Map.of());
        assertThat(run(script)).isEqualTo(137);
        Process job = start(script);
        await().atMost(LIMIT).until(() -> Files.exists(folder.resolve("0.start.2")));

        signal(job, "TERM");

        assertThat(job.waitFor()).isEqualTo(137);
        assertThat(output()).isEqualTo("begins\n");
        assertThat(ended()).hasContent("137 asked");
    }

    /** With a short time limit, each start would otherwise end while it waits. */
    @Test
    void startThatEndsWhileItWaitsForWorkersHasWaitedForTheNextOneToo() throws Exception {
        String script = render(9, "echo begins; exit 137", Map.of());
        assertThat(run(script)).isEqualTo(137);
        String end = Files.readString(folder.resolve("0.last"));
        Process job = start(script);
        await().atMost(LIMIT).until(() -> Files.exists(folder.resolve("0.start.2")));

        signal(job, "USR1");

        assertThat(job.waitFor()).isEqualTo(137);
        assertThat(output()).isEqualTo("begins\nThe program was not started: the end of the job was near.\n");
        assertThat(asked()).containsExactly("scontrol requeue 18", "scontrol requeue 18");
        assertThat(folder.resolve("0.last")).hasContent(end);
    }

    @Test
    void controllerThatDoesNotAnswerIsAskedAgain() throws Exception {
        standFor(
                "scontrol",
                "[[ -e up ]] || { touch up; echo 'Unable to contact slurm controller (connect failure)' >&2; exit 1; }");

        assertThat(run(script(1, "exit 75"))).isEqualTo(75);

        assertThat(asked()).containsExactly("scontrol requeue 18", "scontrol requeue 18");
        assertThat(ended()).doesNotExist();
    }

    @Test
    void runThatWasEndedIsNotStartedAgain() throws Exception {
        String script = script(5, "echo begins; touch '" + folder + "/0.cancelled'; exit 75");

        assertThat(run(script)).isEqualTo(75);
        assertThat(asked()).isEmpty();
        assertThat(ended()).hasContent("75 -");
        assertThat(run(script)).isEqualTo(75);
        assertThat(output()).isEqualTo("begins\n");
    }

    /** As a request to end may come when the script has just looked for it. */
    @Test
    void runThatIsEndedWhileItIsRequeuedIsWithdrawn() throws Exception {
        standFor("scontrol", "touch '" + folder + "/0.cancelled'");

        assertThat(run(script(5, "exit 75"))).isEqualTo(75);

        assertThat(asked()).containsExactly("scontrol requeue 18", "scancel --quiet --name=" + NAME);
    }

    /** The job of a node that only the network has lost runs on. */
    @Test
    void programThatWasStartedElsewhereIsKilled() throws Exception {
        Process job = startAndAwait(script(3, "trap '' TERM; echo begins; exec sleep 600"), "begins");

        Files.createFile(folder.resolve("0.start.2"));

        assertThat(job.waitFor()).isEqualTo(137);
        assertThat(asked()).isEmpty();
        assertThat(ended()).doesNotExist();
    }

    @Test
    void startAfterAnUncleanEndWaitsForTheWorkersOfTheStartBefore() throws Exception {
        String script = render(9, "echo begins; [[ -e again ]] && exit 75; touch again; exit 137", Map.of());
        assertThat(script).contains("\nfiber_pause=30\n");
        String shorter = script.replace("\nfiber_pause=30\n", "\nfiber_pause=4\n");
        assertThat(run(shorter)).isEqualTo(137);
        Files.writeString(folder.resolve("0.last"), Instant.now().getEpochSecond() + " 137\n");

        long begin = System.nanoTime();
        assertThat(run(shorter)).isEqualTo(75);
        assertThat(Duration.ofNanos(System.nanoTime() - begin))
                .as(
                        "time of a start after an end by force, which is a second of the script's own and what is left of 4")
                .isGreaterThan(Duration.ofMillis(2_500));

        Files.writeString(folder.resolve("0.last"), "1 137\n");
        begin = System.nanoTime();
        assertThat(run(script)).isEqualTo(75);
        assertThat(run(script)).isEqualTo(75);
        assertThat(Duration.ofNanos(System.nanoTime() - begin))
                .as("time of a start long after an end, and of one after an end in order")
                .isLessThan(Duration.ofSeconds(25));
    }

    @Test
    void programThatTheKernelKilledForItsMemoryIsNotStartedAgain() throws Exception {
        assertThat(run(shortOfMemory(script(1, "exit 137")))).isEqualTo(137);

        assertThat(asked()).isEmpty();
        assertThat(ended()).hasContent("137 -");
        assertThat(output())
                .isEqualTo("FBR-141 The program is not started again: its job has used all of its memory.\n");
    }

    /** It may have lost a worker to that long ago. */
    @Test
    void programThatStopsInOrderIsStartedAgainThoughItsJobWasShortOfMemory() throws Exception {
        assertThat(run(shortOfMemory(script(1, "exit 75")))).isEqualTo(75);

        assertThat(asked()).containsExactly("scontrol requeue 18");
    }

    /** Returns a script in whose control group the kernel has killed a process. */
    private String shortOfMemory(String script) throws IOException {
        Path group = Files.createDirectories(directory.resolve("cgroup/slurm/job_18"));
        Files.writeString(group.resolve("memory.events"), "low 0\noom 1\noom_kill 1\n");
        Files.writeString(directory.resolve("own"), "0::/slurm/job_18\n");
        return script.replace("/sys/fs/cgroup$group", directory.resolve("cgroup") + "$group")
                .replace("/proc/self/cgroup", directory.resolve("own").toString());
    }

    @Test
    void noticeIsNeededForAnEndInOrder() {
        assertThatThrownBy(() -> script(1, "true", Map.of("notice", "0s")))
                .isInstanceOf(BackendException.class)
                .hasMessage(
                        "FBR-135 Option 'fiber.slurm.notice' is 0s, but a program that is started again needs 15s or"
                                + " more to stop before its time limit. Raise it, or leave it out.");
    }
}
