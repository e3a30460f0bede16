// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.Fiber;
import io.fiber.Pool;
import io.fiber.spec.EndCause;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobRejectedException;
import io.fiber.spi.backend.JobTermination;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The cluster {@code site} of {@code dev/slurm/up}: two threads a core and whole cores for jobs, typed GPUs, no memory by node, no
 * arrays, and a controller that takes its time. {@link SlurmClusterTest} runs it as the user of that cluster.
 */
class SlurmSiteKit {

    private static final String FOUR_TASKS = "--ntasks=4 --mem-per-cpu=450M --time=5";

    @TempDir
    Path directory;

    private static int square(int x) {
        return x * x;
    }

    private JobTermination endOf(Map<String, String> options, String script) {
        try (KitSession session = new KitSession(directory, options)) {
            return session.awaitEnd(session.start(KitSession.shell(script)));
        }
    }

    private List<String> runAsJob(String options, String variable, String program) throws IOException {
        return SlurmStepsKit.runAsJob(
                directory, options, "export FIBER_SLURM_MEMORY=per-cpu " + variable + "; exec", program);
    }

    @Test
    void memoryByNodeIsRefusedWithTheOptionThatHelps() {
        try (KitSession session = new KitSession(directory, Map.of())) {
            assertThatThrownBy(() -> session.start(KitSession.shell("true")))
                    .isInstanceOf(JobRejectedException.class)
                    .hasMessageContaining("Memory by node is not supported here")
                    .hasMessageContaining("set fiber.slurm.memory=per-cpu");
        }
    }

    @Test
    void poolRunsWhereMemoryIsAskedForByProcessorAndThereAreNoArrays() {
        try (Fiber fiber = KitFiber.builder("128m per-cpu").open();
                Pool pool = fiber.pool(3)) {
            assertThat(pool.map(SlurmSiteKit::square, IntStream.range(0, 50)))
                    .isEqualTo(IntStream.range(0, 50)
                            .map(SlurmSiteKit::square)
                            .boxed()
                            .toList());
        }
    }

    @Test
    void memoryIsNotAskedForWhereNobodyMay() {
        assertThatThrownBy(() -> endOf(Map.of("partition", "nomem", "memory", "64m per-cpu"), "true"))
                .hasMessageContaining("leave --mem-per-cpu out")
                .hasMessageContaining("fiber.slurm.memory=none");
        assertThat(endOf(Map.of("partition", "nomem", "memory", "64m none"), "true")
                        .exitCode())
                .hasValue(0);
    }

    @Test
    void ownRequestForMemoryTakesThePlaceOfTheBackends() {
        assertThat(endOf(Map.of("sbatch", "--mem-per-cpu=100M"), "exit 7").exitCode())
                .hasValue(7);
    }

    @Test
    void eachJobHasItsOwnEndWhereThereAreNoArrays() {
        try (KitSession session = new KitSession(directory, Map.of("memory", "64m per-cpu"))) {
            List<Job> jobs = session.start(KitSession.shell("exit 3"), 2);
            assertThat(jobs).extracting(Job::id).doesNotHaveDuplicates().allMatch(id -> id.matches("\\d+"));
            assertThat(jobs)
                    .allSatisfy(
                            job -> assertThat(session.awaitEnd(job).exitCode()).hasValue(3));
        }
    }

    /** Of four tasks with a thread each, two share a core, of which one step has both threads. */
    @Test
    void stepsHaveCoresAndFurtherWorkersAreJobs() throws IOException {
        List<String> lines = runAsJob(FOUR_TASKS, "", "steps");

        List<String> places = SlurmStepsKit.words(lines, "places");
        assertThat(places).as(lines.toString()).hasSize(3);
        assertThat(places).filteredOn(place -> place.contains(".")).hasSize(2);
    }

    @Test
    void eachTaskIsAStepWhereItHasACore() throws IOException {
        List<String> lines = runAsJob(FOUR_TASKS + " --hint=nomultithread", "", "steps");

        assertThat(SlurmStepsKit.words(lines, "places"))
                .as(lines.toString())
                .hasSize(3)
                .allMatch(place -> place.contains("."));
    }

    @Test
    void stepsHaveTheTypedGpusOfTheOptionAndFurtherWorkersAreJobs() throws IOException {
        List<String> lines =
                runAsJob(FOUR_TASKS + " --gres=gpu:a100:2 --hint=nomultithread", "FIBER_SLURM_GRES=gpu:a100:1", "gpus");

        List<String> gpus = SlurmStepsKit.words(lines, "gpus");
        assertThat(gpus).as(lines.toString()).hasSize(3).allMatch(gpu -> gpu.matches(".+=[01]"));
        assertThat(gpus).filteredOn(gpu -> gpu.contains(".")).hasSize(2);
    }

    @Test
    void limitOfTheLoginShellDoesNotReachAWorker() {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String program = "ulimit -t 1000 && exec \"$@\"";

        assertThat(Cluster.run(
                        "bash",
                        "-c",
                        program,
                        "limit",
                        java,
                        "-Djava.io.tmpdir=" + directory,
                        "-cp",
                        System.getProperty("java.class.path"),
                        InsideProgram.class.getName(),
                        "limit"))
                .contains("limits 1000 unlimited\n");
    }

    @Test
    void processorTimeThatIsUsedUpIsNamed() {
        assertThat(endOf(Map.of("memory", "64m per-cpu"), "ulimit -S -t 1; while :; do :; done"))
                .satisfies(end -> assertThat(end.cause()).isEqualTo(EndCause.SIGNALLED))
                .satisfies(end -> assertThat(end.detail())
                        .isEqualTo(
                                "signal 24 (SIGXCPU): it has used the processor time that a limit allows (ulimit -t)"));
    }

    /** The controller answers after 25 s, and nobody else has an answer meanwhile. */
    @Test
    @Tag("soak")
    void submissionMayTakeAsLongAsTheClustersMessageTimeout() {
        assertThat(endOf(Map.of("partition", "slow", "memory", "64m per-cpu"), "true")
                        .exitCode())
                .hasValue(0);
    }
}
