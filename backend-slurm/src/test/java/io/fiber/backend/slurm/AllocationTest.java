// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.spec.Resources;
import io.fiber.spi.Environment;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.Program;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class AllocationTest {

    private static final long MIB = 1L << 20;
    private static final JobSpec JAVA = JobSpec.builder(
                    new Program.Java(Optional.empty(), List.of(), List.of(), List.of(), "Main", List.of()))
            .build();

    private static JobDetails tasks(int tasks) {
        return new JobDetails(OptionalInt.of(tasks), 1, List.of());
    }

    private static Optional<Allocation> of(String... variables) {
        Map<String, String> all = new HashMap<>();
        for (int i = 0; i < variables.length; i += 2) {
            all.put(variables[i], variables[i + 1]);
        }
        return Allocation.of(Environment.of(all, Map.of()), job -> JobDetails.UNKNOWN);
    }

    @Test
    void batchScriptHasAllTasksForWorkersAndAShareOfTheMemory() {
        assertThat(of(
                        "SLURM_JOB_ID",
                        "7",
                        "SLURM_NTASKS",
                        "4",
                        "SLURM_TASKS_PER_NODE",
                        "4",
                        "SLURM_MEM_PER_NODE",
                        "5000"))
                .contains(new Allocation("7", 4, 1, 1000, JobDetails.UNKNOWN));
    }

    private static Optional<String> words(Map<String, String> variables) {
        Environment environment = Environment.of(variables, Map.of());
        return Allocation.inWords(environment, Allocation.of(environment, job -> JobDetails.UNKNOWN));
    }

    @Test
    void programIsToldWhatRoomItsJobHas() {
        assertThat(words(Map.of())).isEmpty();
        assertThat(words(Map.of(
                        "SLURM_JOB_ID", "7",
                        "SLURM_NTASKS", "4",
                        "SLURM_TASKS_PER_NODE", "4",
                        "SLURM_CPUS_PER_TASK", "2",
                        "SLURM_MEM_PER_NODE", "5000")))
                .contains("This program runs in Slurm's job 7, which has room for 4 workers, each with"
                        + " --cpus-per-task=2 and 1000 MiB; further and larger ones become jobs of their own.");
        assertThat(words(Map.of("SLURM_JOB_ID", "7", "SLURM_NTASKS", "1", "SLURM_MEM_PER_NODE", "500")))
                .contains("This program runs in Slurm's job 7, which has room for one worker with --cpus-per-task=1 and"
                        + " 250 MiB; further and larger ones become jobs of their own.");
        assertThat(words(Map.of("SLURM_JOB_ID", "7")))
                .contains(
                        "This program runs in Slurm's job 7, which has no room for workers: they become jobs of their own."
                                + " Submit it with --ntasks=4, for example, and four of them run inside, without a queue.");
    }

    @Test
    void nodesWithDifferentNumbersOfTasksShareByTheFullestOne() {
        assertThat(of(
                        "SLURM_JOB_ID", "7",
                        "SLURM_NTASKS", "7",
                        "SLURM_TASKS_PER_NODE", "3(x2),1",
                        "SLURM_CPUS_PER_TASK", "2",
                        "SLURM_MEM_PER_CPU", "1000"))
                .contains(new Allocation("7", 7, 2, 1500, JobDetails.UNKNOWN));
    }

    @Test
    void programThatIsAStepItselfHoldsATask() {
        assertThat(of("SLURM_JOB_ID", "7", "SLURM_STEP_ID", "0", "SLURM_NTASKS", "4"))
                .map(Allocation::tasks)
                .contains(3);
        assertThat(of("SLURM_JOB_ID", "7", "SLURM_STEP_ID", "4294967291", "SLURM_NTASKS", "4"))
                .map(Allocation::tasks)
                .contains(4);
    }

    /** As srun --ntasks=1 --exact sets them on the first node of a job of four tasks. */
    @Test
    void stepOfOneTaskLeavesTheOtherTasksOfItsJob() {
        Map<String, String> variables = Map.of(
                "SLURM_JOB_ID", "7",
                "SLURM_STEP_ID", "0",
                "SLURM_STEP_NUM_TASKS", "1",
                "SLURM_NTASKS", "1",
                "SLURM_NNODES", "1",
                "SLURM_TASKS_PER_NODE", "1",
                "SLURM_JOB_NUM_NODES", "2",
                "SLURM_JOB_CPUS_PER_NODE", "3,1",
                "SLURM_MEM_PER_NODE", "4000");

        assertThat(Allocation.of(Environment.of(variables, Map.of()), job -> tasks(job.equals("7") ? 4 : 0)))
                .contains(new Allocation("7", 3, 1, 1000, tasks(4)));
    }

    /** As a plain srun sets them in a job of four tasks. */
    @Test
    void programThatSrunHasStartedInEachTaskIsToldSo() {
        Map<String, String> variables = Map.of(
                "SLURM_JOB_ID", "7",
                "SLURM_STEP_ID", "0",
                "SLURM_STEP_NUM_TASKS", "4",
                "SLURM_NTASKS", "4");

        assertThat(words(variables))
                .contains(
                        "This program runs in Slurm's job 7, which has no room for workers: they become jobs of their own."
                                + " srun has started the program 4 times, each with workers of its own: start it once,"
                                + " without srun, or by srun --ntasks=1 --exact with --mem.");
        assertThat(Allocation.of(Environment.of(variables, Map.of()), job -> tasks(6)))
                .map(Allocation::tasks)
                .contains(2);
    }

    /** As {@code sbatch --ntasks=4} on nodes whose cores have two threads: it gets two cores, and a step takes a whole one. */
    @Test
    void coresAndNotThreadsHaveRoomForWorkers() {
        Map<String, String> variables = Map.of(
                "SLURM_JOB_ID", "7",
                "SLURM_NTASKS", "4",
                "SLURM_TASKS_PER_NODE", "4",
                "SLURM_MEM_PER_CPU", "450");
        JobDetails given = new JobDetails(OptionalInt.of(4), 2, List.of(new JobDetails.Share(1, 2, 1800, Map.of())));
        Environment environment = Environment.of(variables, Map.of());

        assertThat(Allocation.of(environment, job -> given)).contains(new Allocation("7", 2, 2, 600, given));
        assertThat(Allocation.inWords(environment, Allocation.of(environment, job -> given)))
                .contains("This program runs in Slurm's job 7, which has room for 2 workers, each with"
                        + " --cpus-per-task=2 and 600 MiB; further and larger ones become jobs of their own.");
    }

    /** As with {@code --hint=nomultithread}: a task is a core. */
    @Test
    void taskThatHasACoreOfItsOwnHasRoomForAWorker() {
        Map<String, String> variables = Map.of(
                "SLURM_JOB_ID", "7", "SLURM_NTASKS", "4", "SLURM_TASKS_PER_NODE", "4", "SLURM_MEM_PER_CPU", "450");
        JobDetails given = new JobDetails(OptionalInt.of(4), 1, List.of(new JobDetails.Share(1, 4, 1800, Map.of())));

        assertThat(Allocation.of(Environment.of(variables, Map.of()), job -> given))
                .contains(new Allocation("7", 4, 1, 360, given));
    }

    @Test
    void programInAHeterogeneousJobIsToldThatOnlyItsFirstComponentIsUsed() {
        assertThat(words(Map.of("SLURM_JOB_ID", "7", "SLURM_NTASKS", "4", "SLURM_HET_SIZE", "2")))
                .hasValueSatisfying(text -> assertThat(text)
                        .endsWith(" Only the first component of this heterogeneous job has room for workers."));
    }

    @Test
    void jobOfOneTaskOrWithTooLittleMemoryHasNoRoom() {
        assertThat(of()).isEmpty();
        assertThat(of("SLURM_JOB_ID", "7")).isEmpty();
        assertThat(of("SLURM_JOB_ID", "7", "SLURM_STEP_ID", "0", "SLURM_NTASKS", "1"))
                .isEmpty();
        assertThat(of("SLURM_JOB_ID", "7", "SLURM_NTASKS", "4", "SLURM_MEM_PER_NODE", "1000"))
                .isEmpty();
    }

    @Test
    void jobsTakeAsManyTasksAsTheyNeed() {
        JobDetails given = new JobDetails(
                OptionalInt.empty(),
                1,
                List.of(new JobDetails.Share(1, 8, 5000, JobDetails.gres("gpu:a100:2(IDX:0-1),scratch(CNT:4)"))));
        Allocation allocation = new Allocation("7", 4, 2, 1000, given);

        assertThat(allocation.tasksOf(JAVA, 1000, List.of())).isEqualTo(1);
        assertThat(allocation.tasksOf(JAVA, 1001, List.of())).isEqualTo(2);
        assertThat(allocation.tasksOf(
                        JAVA.toBuilder().resources(Resources.cpus(5)).build(), 10, List.of()))
                .isEqualTo(3);
        assertThat(allocation.tasksOf(JAVA, 10, List.of("gpu:1"))).isEqualTo(2);
        assertThat(allocation.tasksOf(JAVA, 10, List.of("gpu:a100:2", "scratch:1")))
                .isEqualTo(4);
        assertThat(allocation.tasksOf(JAVA, 10, List.of("gpu:3"))).isGreaterThan(4);
        assertThat(allocation.tasksOf(JAVA, 10, List.of("gpu:h100"))).isGreaterThan(4);
    }

    @Test
    void memoryOfATaskIsTheHeapAndWhatTheJvmNeedsBesideIt() {
        Allocation allocation = new Allocation("7", 4, 1, 1000, JobDetails.UNKNOWN);

        assertThat(allocation.withMemory(JAVA, OptionalLong.empty()).resources().memoryBytes())
                .hasValue(800 * MIB);
        assertThat(allocation.withMemory(JAVA, OptionalLong.of(MIB)).resources().memoryBytes())
                .isEmpty();
    }
}
