// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.gridengine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.backend.support.batch.BatchState;
import io.fiber.backend.support.batch.Commands;
import io.fiber.backend.support.batch.LocalFiles;
import io.fiber.backend.support.batch.Scheduler.Ending;
import io.fiber.backend.support.batch.SharedFolder;
import io.fiber.spec.EndCause;
import io.fiber.spec.Resources;
import io.fiber.spec.Secret;
import io.fiber.spi.Options;
import io.fiber.spi.backend.BackendUnavailableException;
import io.fiber.spi.backend.JobRejectedException;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.JobTermination;
import io.fiber.spi.backend.Program;
import io.fiber.spi.backend.Submission;
import io.fiber.spi.backend.TooManyJobsException;
import io.fiber.tck.backend.BackendFixture;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Answers as Grid Engine 8.1.9 gives them. What they are on a real cell is tested by {@link GridEngineClusterTest}. */
class GridEngineTest {

    private static final String LISTED = """
            <job_list state="%s">
              <JB_job_number>%s</JB_job_number>
              <JB_name>fiber-s-0</JB_name>
              <state>%s</state>
              <queue_name>%s</queue_name>
              <slots>1</slots>
              <tasks>%s</tasks>
            </job_list>
            """;
    private static final String RECORD = """
            ==============================================================
            qname        all.q
            jobnumber    %s
            taskid       %s
            failed       %s
            exit_status  %s
            """;

    private final Map<String, Commands.Answer> answers = new HashMap<>();
    private final List<List<String>> ran = new ArrayList<>();
    private final SharedFolder folder;

    GridEngineTest(@TempDir Path directory) {
        folder = SharedFolder.create(GridEngineBackendProvider.NAME, new LocalFiles(), directory, "s");
    }

    private GridEngine gridEngine(String... options) {
        Map<String, String> values = new HashMap<>();
        for (int i = 0; i < options.length; i += 2) {
            values.put(options[i], options[i + 1]);
        }
        GridEngineBackendProvider provider = new GridEngineBackendProvider();
        Options all = BackendFixture.options(provider, values);
        Commands commands = command -> {
            ran.add(command.words());
            String words = String.join(" ", command.words());
            return answers.entrySet().stream()
                    .filter(answer -> words.startsWith(answer.getKey()))
                    .map(Map.Entry::getValue)
                    .findFirst()
                    .orElse(new Commands.Answer(1, "", "error: not found"));
        };
        return new GridEngine(commands, all, provider.options(), "s");
    }

    private void answer(String words, String output) {
        answers.put(words, new Commands.Answer(0, output, ""));
    }

    private void fail(String words, String errors) {
        answers.put(words, new Commands.Answer(1, "", errors));
    }

    private String script(GridEngine gridEngine, JobSpec spec) {
        Submission submission = new Submission(spec, List.of(instance("a"), instance("b")));
        return gridEngine.script(submission, part(submission));
    }

    private SharedFolder.Part part(Submission submission) {
        return folder.part(submission);
    }

    private static Submission.Instance instance(String name) {
        return new Submission.Instance(name, Secret.empty());
    }

    private static JobSpec.Builder java() {
        return JobSpec.builder(
                new Program.Java(Optional.empty(), List.of(), List.of(), List.of(), "my.Main", List.of()));
    }

    private static Stream<String> directives(String script) {
        return script.lines().filter(line -> line.startsWith("#$ "));
    }

    @Test
    void scriptRequestsWhatTheJobNeeds() {
        GridEngine gridEngine = gridEngine("queue", "long.q", "project", "chem", "qsub", "-m n\n-l gpu=1");
        JobSpec spec = java().resources(Resources.cpus(1.5).withMemory("1g"))
                .timeLimit(Duration.ofMinutes(2))
                .build();

        // 1 GiB of heap and 256 MiB beside it, and 4 GiB of addresses, for each of two slots.
        assertThat(directives(script(gridEngine, spec)))
                .containsExactly(
                        "#$ -N fiber-s-0",
                        "#$ -S /bin/bash",
                        "#$ -t 1-2",
                        "#$ -r n",
                        "#$ -o /dev/null -e /dev/null",
                        "#$ -w e",
                        "#$ -q long.q",
                        "#$ -P chem",
                        "#$ -pe smp 2",
                        "#$ -l h_vmem=2752512K",
                        "#$ -l h_rt=120",
                        "#$ -m n",
                        "#$ -l gpu=1");
    }

    @Test
    void memoryIsRequestedByTheResourceOfTheSite() {
        JobSpec spec = java().resources(Resources.memory("1g")).build();

        assertThat(directives(script(gridEngine("memory", "mem_free"), spec))).contains("#$ -l mem_free=1310720K");
        assertThat(directives(script(gridEngine("memory", "none"), spec))).noneMatch(line -> line.contains("-l"));
    }

    @Test
    void statesAreThoseOfTheListAndOfTheRecords() {
        answer(
                "qstat -u",
                LISTED.formatted("running", 7, "r", "all.q@node3", 1)
                        + LISTED.formatted("pending", 7, "qw", "", 2)
                        + LISTED.formatted("pending", 7, "hqw", "", 3)
                        + LISTED.formatted("running", 7, "dr", "all.q@node3", 4)
                        + LISTED.formatted("pending", 8, "Eqw", "", 1));
        answer("qstat -j 8", "error reason    1:          can't chdir to /not/there: No such file or directory\n");
        answer(
                "qacct -j 9",
                RECORD.formatted(9, 1, "0", "7")
                        + RECORD.formatted(9, 2, "100 : assumedly after job", "137                  (Killed)")
                        + RECORD.formatted(9, 3, "37  : qmaster enforced h_rt, h_cpu, or h_vmem limit", "137")
                        + RECORD.formatted(9, 4, "21  : in recognizing job", "0"));

        Map<String, BatchState> states = gridEngine()
                .states(List.of("7.1", "7.2", "7.3", "7.4", "8.1", "9.1", "9.2", "9.3", "9.4", "9.5", "10.1"));

        assertThat(states)
                .containsEntry("7.1", new BatchState.Running("node3"))
                .containsEntry("7.2", new BatchState.Waiting(""))
                .containsEntry("7.3", new BatchState.Waiting("it is held; qrls 7 releases it"))
                .containsEntry("7.4", new BatchState.Changing())
                .containsEntry(
                        "8.1",
                        new BatchState.Waiting(
                                "error state Eqw: can't chdir to /not/there: No such file or directory",
                                Optional.of("Mend that; Fiber removes this job.")))
                .containsEntry("9.1", BatchState.Ended.withCode(7))
                .containsEntry("9.2", BatchState.Ended.withCode(137))
                .containsEntry("9.5", new BatchState.Missing(Duration.ofSeconds(30)))
                .containsEntry("10.1", new BatchState.Missing(Duration.ofSeconds(30)));
        assertThat(termination(states, "9.3"))
                .isEqualTo(JobTermination.failed(
                        EndCause.TIME_LIMIT,
                        OptionalInt.of(137),
                        "Grid Engine says: failed 37  : qmaster enforced h_rt, h_cpu, or h_vmem limit."));
        assertThat(termination(states, "9.4"))
                .isEqualTo(JobTermination.lost("Grid Engine says: failed 21  : in recognizing job."));
        assertThat(ran.stream().filter(words -> words.get(0).equals("qacct")))
                .as("jobs whose records are read")
                .hasSize(2);
    }

    private static JobTermination termination(Map<String, BatchState> states, String id) {
        return ((BatchState.Ended) Optional.ofNullable(states.get(id)).orElseThrow()).termination();
    }

    @Test
    void noAnswerIsNoWordAboutAJob() {
        fail("qstat", "error: commlib error: got select error (Connection refused)");
        fail(
                "qsub",
                "Unable to run job: unable to send message to qmaster using port 1 on host \"a\": got send error\nExiting.");
        fail("qdel", "error: commlib error: got select error (Connection refused)");
        GridEngine gridEngine = gridEngine();
        Submission submission = Submission.of(java().build(), "a", Secret.empty());

        assertThatThrownBy(() -> gridEngine.states(List.of("7.1")))
                .isInstanceOf(BackendUnavailableException.class)
                .hasMessage("FBR-130 Grid Engine does not answer: qstat ended with 1: error: commlib error: got select"
                        + " error (Connection refused). Running jobs go on.");
        assertThatThrownBy(() -> gridEngine.submit("", submission, part(submission)))
                .isInstanceOf(BackendUnavailableException.class);
        assertThatThrownBy(() -> gridEngine.end(List.of("7.1"), Ending.FORCED))
                .isInstanceOf(BackendUnavailableException.class);
    }

    @Test
    void refusalSaysWhatToCompare() {
        GridEngine gridEngine = gridEngine();
        Submission submission = Submission.of(java().build(), "a", Secret.empty());
        SharedFolder.Part part = part(submission);
        fail(
                "qsub",
                "Unable to run job: job rejected: the requested parallel environment \"nix\" does not exist\nExiting.");

        assertThatThrownBy(() -> gridEngine.submit("", submission, part))
                .isInstanceOf(JobRejectedException.class)
                .hasMessage(
                        "FBR-131 Grid Engine refused the job: Unable to run job: job rejected: the requested parallel"
                                + " environment \"nix\" does not exist. Nothing was started. Compare"
                                + " fiber.gridengine.queue, project and parallel-environment with what 'qconf -sql',"
                                + " 'qconf -sprjl' and 'qconf -spl' list, or request less.");

        fail("qsub", "Unable to run job: job rejected: you tried to submit a job with more than 75000 tasks\nExiting.");
        assertThatThrownBy(() -> gridEngine.submit("", submission, part)).isInstanceOf(TooManyJobsException.class);
    }

    /** Running jobs are asked by a file; qdel would kill them. */
    @Test
    void onlyWaitingJobsAreDeletedWhenTheyAreAskedToEnd() {
        answer(
                "qstat -u",
                LISTED.formatted("running", 7, "r", "all.q@node3", 1) + LISTED.formatted("pending", 7, "qw", "", 2));
        answer("qdel", "");
        GridEngine gridEngine = gridEngine();

        gridEngine.end(List.of("7.1", "7.2", "7.3"), Ending.ASKED);
        assertThat(ran).last().isEqualTo(List.of("qdel", "7.2"));

        gridEngine.end(List.of("7.1", "7.3"), Ending.FORCED);
        assertThat(ran).last().isEqualTo(List.of("qdel", "7.1", "7.3"));
    }
}
