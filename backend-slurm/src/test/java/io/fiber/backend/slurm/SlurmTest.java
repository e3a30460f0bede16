// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.backend.support.batch.Commands;
import io.fiber.backend.support.batch.Commands.Answer;
import io.fiber.backend.support.batch.Scheduler;
import io.fiber.spi.backend.BackendUnavailableException;
import io.fiber.spi.backend.JobRejectedException;
import io.fiber.tck.host.LogLines;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.logging.Level;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers as a real Slurm gave them, where a real one cannot be made to give them at will. */
class SlurmTest {

    private final Deque<Answer> answers = new ArrayDeque<>();
    private final List<String> asked = new ArrayList<>();
    private final Slurm slurm = new Slurm(
            command -> {
                asked.add(String.join(" ", command.words()));
                return answers.remove();
            },
            Optional.empty(),
            SlurmFixture.COMMAND_LIMIT);

    @ParameterizedTest
    @CsvSource({"'17\n', 17", "'17;cluster2\n', 17", "'Project p1 has 12 hours left.\n17\n', 17"})
    void numberOfTheJobIsFoundAmongOtherLines(String output, String id) {
        answers.add(new Answer(0, output, ""));

        assertThat(slurm.submit("script", "name", List.of())).isEqualTo(id);
    }

    @Test
    void otherNumberThatASitesSbatchWritesIsNoJob() {
        answers.add(new Answer(0, "120000\n17\n", ""));
        answers.add(new Answer(0, "17\n", ""));
        assertThat(slurm.submit("script", "fiber-x-0", List.of())).isEqualTo("17");

        answers.add(new Answer(0, "18\n1500\n", ""));
        answers.add(new Answer(0, "18\n", ""));
        assertThat(slurm.submit("script", "fiber-x-0", List.of())).isEqualTo("18");
        assertThat(asked.get(3)).contains("squeue").contains("--name=fiber-x-0");
    }

    @Test
    void whatASiteSaysOfAJobThatItTakesIsPassedOnOnce() {
        List<String> said;
        try (LogLines lines = LogLines.of(Slurm.class.getName(), Level.INFO)) {
            for (int i = 0; i < 2; i++) {
                answers.add(new Answer(0, "17\n", "sbatch: lua: partition debug closes at noon\n"));
                slurm.submit("script", "name", List.of());
            }
            said = lines.messages();
        }
        assertThat(said).containsExactly("Slurm took the job and says: sbatch: lua: partition debug closes at noon");
    }

    @Test
    void wordsOfAJobGoBeforeVariables() {
        answers.add(new Answer(0, "17\n", ""));

        slurm.submit("script", "name", List.of("--partition=gpu"));

        assertThat(asked).containsExactly("sbatch --parsable --partition=gpu");
    }

    @Test
    void jobWhoseAnswerWasLostIsFoundByItsName() {
        answers.add(new Answer(1, "", "sbatch: error: Batch job submission failed: Socket timed out on send/recv"));
        answers.add(new Answer(0, "23 \n", ""));

        assertThat(slurm.submit("script", "fiber-x-0", List.of())).isEqualTo("23");
        assertThat(asked.get(1)).contains("squeue").contains("--name=fiber-x-0");
    }

    @Test
    void controllerThatIsDownIsUnavailableAndNotAskedAgain() {
        answers.add(new Answer(
                1,
                "",
                "sbatch: error: Batch job submission failed: Unable to contact slurm controller"
                        + " (connect failure)"));

        assertThatThrownBy(() -> slurm.submit("script", "name", List.of()))
                .isInstanceOf(BackendUnavailableException.class)
                .hasMessageContaining("FBR-130")
                .hasMessageContaining("Unable to contact slurm controller")
                .hasMessageContaining("Running jobs go on");
        assertThat(asked).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({
        "sbatch: error: CPU count per node can not be satisfied, Ask for fewer cpus",
        "sbatch: error: invalid partition specified: nope, Correct fiber.slurm.partition",
        "sbatch: error: Memory specification can not be satisfied, Ask for less memory",
        "sbatch: error: Memory by node is not supported here. Use --mem-per-cpu., 'set fiber.slurm.memory=per-cpu, or'",
        "sbatch: error: Memory is not a resource here, fiber.slurm.memory=none",
        "sbatch: error: Batch job submission failed: Invalid feature specification, Correct fiber.slurm.constraint",
        "sbatch: error: Invalid generic resource (gres) specification, Correct fiber.slurm.gres",
        "sbatch: error: Batch job submission failed: Requested reservation is invalid, Correct fiber.slurm.reservation",
        "sbatch: error: Batch job submission failed: Invalid job array specification, MaxArraySize",
        "sbatch: error: Batch job submission failed: Job violates accounting/QOS policy, A limit of your account or QOS",
        "sbatch: error: Batch job submission failed: Invalid account or account/partition combination specified,"
                + " 'Correct fiber.slurm.account, fiber.slurm.qos or fiber.slurm.partition'",
        "sbatch: error: Batch job submission failed: Invalid qos specification, Correct fiber.slurm.qos",
        "sbatch: error: Batch job submission failed: Something new, Correct the option",
    })
    void refusalNamesTheCure(String complaint, String cure) {
        answers.add(new Answer(1, "", complaint));

        assertThatThrownBy(() -> slurm.submit("script", "name", List.of()))
                .isInstanceOf(JobRejectedException.class)
                .hasMessageContaining("FBR-131")
                .hasMessageContaining(complaint)
                .hasMessageContaining(cure);
    }

    @Test
    void jobsThatSlurmForgotAreMissingInTheAnswer() {
        answers.add(new Answer(1, "", "slurm_load_jobs error: Invalid job id specified"));

        assertThat(slurm.queue(Set.of("99"))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "slurmstepd: error: *** JOB 17 ON node1 CANCELLED AT 2026-01-01T10:00:00 ***, true",
        "slurmstepd-node1: error: *** STEP 17.0 ON node1 CANCELLED AT 2026-01-01T10:00:00 ***, true",
        "slurmstepd: error: *** JOB 17 ON node1 CANCELLED AT 2026-01-01T10:00:00 DUE TO SIGNAL Terminated ***, true",
        "slurmstepd: error: *** JOB 17 ON node1 CANCELLED AT 2026-01-01T10:00:00 DUE TO TIME LIMIT ***, false",
        "slurmstepd: error: *** JOB 17 ON node1 CANCELLED AT 2026-01-01T10:00:00 DUE TO PREEMPTION ***, false",
        "slurmstepd-node1: error: _handle_signal_container: failed signal 9 pid 17 StepId=17.batch No such process, true",
        "slurmstepd-node1: error: _handle_signal_container: failed signal 9 pid 17 StepId=17.batch Permission denied, false",
        "slurmstepd: error: Detected 1 oom_kill event in StepId=17.batch., false",
        "CANCELLED AT noon, false",
    })
    void lineOfSlurmAboutACancelIsKnown(String line, boolean isNotice) {
        assertThat(slurm.isEndNotice(line)).isEqualTo(isNotice);
    }

    private static Answer settings(String storage) {
        return new Answer(0, "AccountingStorageType   = " + storage + "\nMaxArraySize            = 1001\n", "");
    }

    @Test
    void whatSlurmHasForgottenIsInTheBooksOfTheSite() {
        answers.add(settings("accounting_storage/slurmdbd"));
        answers.add(new Answer(0, """
                7_0|FAILED|3:0|node1
                7_1|CANCELLED by 1000|0:0|node[1-2]
                7_2|RUNNING|0:0|node1
                7_[3-4,6%2]|CANCELLED by 0|0:0|None assigned
                8|TIMEOUT|0:15|node1
                8.batch|CANCELLED|0:15|node1
                A site's greeting.
                """, ""));

        assertThat(slurm.past(new TreeSet<>(Set.of("7", "8"))).values())
                .containsExactly(
                        new QueueRow("7_0", "FAILED", 3 << 8, "None", "node1"),
                        new QueueRow("7_1", "CANCELLED", 0, "None", "node[1-2]"),
                        new QueueRow("7_3", "CANCELLED", 0, "None", ""),
                        new QueueRow("7_4", "CANCELLED", 0, "None", ""),
                        new QueueRow("7_6", "CANCELLED", 0, "None", ""),
                        new QueueRow("8", "TIMEOUT", 15, "None", "node1"));
        assertThat(asked.get(1)).isEqualTo("sacct -n -P -X -j 7,8 -o jobid,state,exitcode,nodelist");
    }

    @ParameterizedTest
    @ValueSource(strings = {"accounting_storage/none", "(null)"})
    void siteWithoutBooksIsNotAskedForThem(String storage) {
        answers.add(settings(storage));

        assertThat(slurm.past(Set.of("7"))).isEmpty();
        assertThat(asked).containsExactly("scontrol show config");
    }

    @Test
    void booksThatDoNotAnswerSayNothing() {
        answers.add(settings("accounting_storage/slurmdbd"));
        answers.add(new Answer(1, "", "sacct: error: slurm_persist_conn_open_without_init: failed to open"));

        assertThat(slurm.past(Set.of("7"))).isEmpty();

        Slurm without = new Slurm(
                command -> {
                    throw new BackendUnavailableException("FBR-130 did not end");
                },
                Optional.empty(),
                SlurmFixture.COMMAND_LIMIT);
        assertThat(without.past(Set.of("7"))).isEmpty();
    }

    @Test
    void otherFaultsOfTheQueueSayNothingOfJobs() {
        answers.add(new Answer(1, "", "slurm_load_jobs error: Something new"));

        assertThatThrownBy(() -> slurm.queue(Set.of("99"))).isInstanceOf(BackendUnavailableException.class);
    }

    @Test
    void rowsAreReadAndOtherLinesLeftOut() {
        answers.add(new Answer(
                0,
                "Welcome to the cluster | today\n7_0|RUNNING|0|None|node1|\n7_1|FAILED|1792|NonZeroExitCode|node2|\n",
                ""));

        assertThat(slurm.queue(Set.of("7")))
                .containsOnlyKeys("7_0", "7_1")
                .containsEntry("7_0", new QueueRow("7_0", "RUNNING", 0, "None", "node1"))
                .hasEntrySatisfying("7_1", row -> assertThat(row.exitCode()).isEqualTo(7));
    }

    /** Of programs that name no cluster one would ask another cluster than the other. */
    @Test
    void allProgramsNameTheCluster() {
        Slurm beta = new Slurm(
                command -> {
                    asked.add(String.join(" ", command.words()));
                    String output =
                            asked.size() == 1 ? "17;beta\n" : "AccountingStorageType = accounting_storage/slurmdbd\n";
                    return new Answer(0, output, "");
                },
                Optional.of("beta"),
                SlurmFixture.COMMAND_LIMIT);
        beta.submit("script", "name", List.of());
        beta.states(List.of("17_0"));
        beta.end(List.of("17_0"), Scheduler.Ending.ASKED);
        beta.jobsStatesAndNames();
        beta.cancelSession("session");

        assertThat(asked).extracting(line -> line.split(" ", 2)[0]).contains("sbatch", "squeue", "sacct", "scancel");
        assertThat(asked)
                .noneMatch(Pattern.compile("\\b(sbatch|squeue|sacct|scancel|scontrol) (?!-M beta )")
                        .asPredicate());
    }

    @Test
    void clusterThatIsNotThereIsNamed() {
        Slurm nope = new Slurm(
                command -> new Answer(1, "", "scontrol: error: 'nope' can't be reached now, or it is an invalid entry"),
                Optional.of("nope"),
                Optional.empty());

        assertThatThrownBy(nope::settings)
                .hasMessage(
                        "FBR-135 Option 'fiber.slurm.cluster' (or else the variable SBATCH_CLUSTERS or SLURM_CLUSTERS) is"
                                + " 'nope', which Slurm does not find: scontrol: error: 'nope' can't be reached now, or it is an"
                                + " invalid entry. Correct it; 'sacctmgr show cluster' lists the names, if the site has slurmdbd.");
    }

    @ParameterizedTest
    @CsvSource({"60 sec, 120", "10 sec, 20", "5 sec, 20", "'', 20"})
    void programsMayTakeTwiceTheTimeThatSlurmGivesItself(String timeout, long seconds) {
        List<Duration> limits = new ArrayList<>();
        Commands commands = command -> {
            limits.add(command.limit());
            return new Answer(0, "MessageTimeout = " + timeout + "\n", "");
        };
        new Slurm(commands, Optional.empty(), Optional.empty()).jobsStatesAndNames();
        new Slurm(commands, Optional.empty(), Optional.of(Duration.ofSeconds(7))).jobsStatesAndNames();

        assertThat(limits).containsExactly(Duration.ofMinutes(1), Duration.ofSeconds(seconds), Duration.ofSeconds(7));
    }

    @Test
    void tasksOfAJobAreRead() {
        answers.add(new Answer(0, "JobId=7 JobName=x NumNodes=2-2 NumCPUs=8 NumTasks=4 CPUs/Task=2\n", ""));
        answers.add(new Answer(1, "", "slurm_load_jobs error: Invalid job id specified"));

        assertThat(slurm.details("7").tasks()).hasValue(4);
        assertThat(slurm.details("8")).isEqualTo(JobDetails.UNKNOWN);
        assertThat(asked.get(0)).isEqualTo("scontrol -d -o show job 7");
    }

    @ParameterizedTest
    @CsvSource({
        "1001, (null), 1001",
        "1001, 'bf_continue,max_array_tasks=200,defer', 200",
        "1001, max_array_tasks=2000, 1001",
        "1001, max_array_tasks=0, 1001",
        "(null), defer, 1000"
    })
    void arraysAreNoLongerThanBothLimits(String size, String parameters, int longest) {
        answers.add(new Answer(
                0, "MaxArraySize            = " + size + "\nSchedulerParameters     = " + parameters + "\n", ""));

        assertThat(slurm.longestArray()).isEqualTo(longest);
    }

    @Test
    void controllersAddressIsReadFromTheSettings() {
        answers.add(new Answer(0, """
                Configuration data as of 2026-01-01
                MaxArraySize            = 1001
                SlurmctldHost[0]        = head(10.1.0.1)
                SlurmctldHost[1]        = spare(10.1.0.2)
                """, ""));

        assertThat(MasterAddress.controller(slurm.settings().getOrDefault("SlurmctldHost", "")))
                .isEqualTo("10.1.0.1");
        assertThat(MasterAddress.controller("head")).isEqualTo("head");
    }
}
