// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import io.fiber.spi.Environment;
import io.fiber.spi.backend.JobSpec;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The job of Slurm that this process runs in, as its variables describe it.
 *
 * @param jobId of the job
 * @param tasks how many tasks are left for workers; each holds one worker of an ordinary size
 * @param taskCpus processors of a task; where a core has several, those of its cores
 * @param taskMib memory of a task, when this process has its share as well; 0 when Slurm does not share out memory here
 * @param given what the job has on its nodes
 */
record Allocation(String jobId, int tasks, int taskCpus, long taskMib, JobDetails given) {

    /** {@code 4} or {@code 2(x3),1}. */
    private static final Pattern COUNTS_OF_NODES = Pattern.compile("(\\d+)(?:\\(x\\d+\\))?");

    static final String JOB_ID = "SLURM_JOB_ID";
    private static final int SHORTEST_OF_SPECIAL_STEP = 8;
    private static final int LEAST_HEAP_MIB = 32;
    private static final long MIB = 1L << 20;

    /**
     * Returns the job around this process; empty when there is none, or when it has no task for a worker.
     *
     * @param detailsOf says what a job has: to a process that srun has started, variables tell of its step alone
     */
    static Optional<Allocation> of(Environment environment, Function<String, JobDetails> detailsOf) {
        Optional<String> job = environment.variable(JOB_ID);
        if (job.isEmpty()) {
            return Optional.empty();
        }
        int cpus = number(environment, "SLURM_CPUS_PER_TASK").orElse(1);
        JobDetails given = detailsOf.apply(job.get());
        // A step takes whole cores, even where several tasks of a job share one.
        int cores = (int) divideUp(cpus, given.usableThreads());
        Tasks tasks = (isStep(environment) ? tasksAroundStep(environment, given.tasks(), cpus) : tasks(environment))
                .within(given, cores, tasksOfStep(environment));
        long nodeMib = given.largest()
                .map(JobDetails.Share::mib)
                .filter(mib -> mib > 0)
                .orElseGet(() -> (long) number(environment, "SLURM_MEM_PER_NODE")
                        .orElseGet(
                                () -> number(environment, "SLURM_MEM_PER_CPU").orElse(0) * cpus * tasks.ofANode));
        Allocation allocation = new Allocation(
                job.get(), tasks.forWorkers, cores * given.usableThreads(), nodeMib / (tasks.ofANode + 1), given);
        return allocation.tasks > 0 && (nodeMib == 0 || allocation.heapMib() >= LEAST_HEAP_MIB)
                ? Optional.of(allocation)
                : Optional.empty();
    }

    /** Returns what a program in a job is told of it; empty outside of one. */
    static Optional<String> inWords(Environment environment, Optional<Allocation> found) {
        return environment
                .variable(JOB_ID)
                .map(job -> "This program runs in Slurm's job " + job + ", which has "
                        + found.map(Allocation::room).orElse("no room for workers: they become jobs of their own.")
                        + advice(tasksOfStep(environment), found.isPresent())
                        + (number(environment, "SLURM_HET_SIZE").orElse(1) > 1
                                ? " Only the first component of this heterogeneous job has room for workers."
                                : ""));
    }

    private static String advice(int copies, boolean hasRoom) {
        if (copies > 1) {
            return " srun has started the program " + copies + " times, each with workers of its own: start it once,"
                    + " without srun, or by srun --ntasks=1 --exact with --mem.";
        }
        return hasRoom ? "" : " Submit it with --ntasks=4, for example, and four of them run inside, without a queue.";
    }

    private String room() {
        return "room for " + (tasks == 1 ? "one worker" : tasks + " workers, each") + " with --cpus-per-task="
                + taskCpus + (taskMib == 0 ? "" : " and " + taskMib + " MiB")
                + "; further and larger ones become jobs of their own.";
    }

    /**
     * Tasks of a job.
     *
     * @param forWorkers how many are left
     * @param ofANode how many the fullest node has
     */
    private record Tasks(int forWorkers, int ofANode) {
        /** Returns those that have cores of their own. */
        Tasks within(JobDetails given, int cores, int taken) {
            return given.largest()
                    .map(largest -> new Tasks(
                            Math.min(forWorkers, given.fitting(cores) - taken),
                            Math.max(1, Math.min(ofANode, largest.cores() / cores))))
                    .orElse(this);
        }
    }

    private static Tasks tasks(Environment environment) {
        int nodes = number(environment, "SLURM_NNODES").orElse(1);
        int all = number(environment, "SLURM_NTASKS")
                .orElseGet(() -> number(environment, "SLURM_NTASKS_PER_NODE").orElse(0) * nodes);
        return new Tasks(
                all, Math.max(1, most(environment, "SLURM_TASKS_PER_NODE").orElse((int) divideUp(all, nodes))));
    }

    private static Tasks tasksAroundStep(Environment environment, OptionalInt ofJob, int cpus) {
        int nodes = number(environment, "SLURM_JOB_NUM_NODES").orElse(1);
        int all = ofJob.orElseGet(() -> tasks(environment).forWorkers);
        // Nodes that belong to the job as a whole may have processors beside those of its tasks.
        int byCpus = most(environment, "SLURM_JOB_CPUS_PER_NODE").orElse(0) / cpus;
        return new Tasks(
                all - tasksOfStep(environment),
                Math.max(1, Math.max((int) divideUp(all, nodes), Math.min(all, byCpus))));
    }

    /** Returns how many tasks of the job the step of this process holds; a batch script holds none. */
    private static int tasksOfStep(Environment environment) {
        return isStep(environment) ? number(environment, "SLURM_STEP_NUM_TASKS").orElse(1) : 0;
    }

    private static boolean isStep(Environment environment) {
        return environment
                .variable("SLURM_STEP_ID")
                .filter(step -> step.length() < SHORTEST_OF_SPECIAL_STEP)
                .isPresent();
    }

    /** Returns the greatest of the counts of nodes that a variable lists. */
    private static Optional<Integer> most(Environment environment, String variable) {
        return environment
                .variable(variable)
                .flatMap(text -> Arrays.stream(text.split(",", -1))
                        .map(COUNTS_OF_NODES::matcher)
                        .filter(Matcher::matches)
                        .map(count -> Integer.parseInt(count.group(1)))
                        .max(Integer::compare));
    }

    private static Optional<Integer> number(Environment environment, String variable) {
        return environment
                .variable(variable)
                .filter(text -> text.matches("\\d{1,9}"))
                .map(Integer::parseInt);
    }

    /** Returns the heap that a JVM may have in the memory of one task. */
    private long heapMib() {
        return Math.min(taskMib - JobScript.LEAST_OVERHEAD_MIB, taskMib * 4 / 5);
    }

    /** Returns the spec with the memory of a task, when neither it nor the site's options say another. */
    JobSpec withMemory(JobSpec spec, OptionalLong ofSite) {
        if (taskMib == 0 || ofSite.isPresent() || spec.resources().memoryBytes().isPresent()) {
            return spec;
        }
        return spec.toBuilder()
                .resources(spec.resources().withMemoryBytes(heapMib() * MIB))
                .build();
    }

    /**
     * Returns how many tasks a job takes up; more than there are when it does not fit at all.
     *
     * @param gres the generic resources that it needs, such as {@code gpu:a100:1}, of which each task has an equal part
     */
    int tasksOf(JobSpec spec, long mib, List<String> gres) {
        long byCpus = divideUp(JobScript.cpus(spec.resources()), taskCpus);
        long byMemory = taskMib == 0 ? 1 : divideUp(mib, taskMib);
        long most = Math.max(byCpus, byMemory);
        for (Map.Entry<String, Integer> need :
                JobDetails.gres(String.join(",", gres)).entrySet()) {
            if (need.getValue() > given.mostOf(need.getKey())) {
                return Integer.MAX_VALUE;
            }
            most = Math.max(most, divideUp((long) need.getValue() * tasks, Math.max(1, given.allOf(need.getKey()))));
        }
        return (int) Math.min(Integer.MAX_VALUE, most);
    }

    private static long divideUp(long what, long by) {
        return (what + by - 1) / by;
    }
}
