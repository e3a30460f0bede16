// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.backend.support.batch.BatchBackend;
import io.fiber.backend.support.batch.Commands.Answer;
import io.fiber.spec.EndCause;
import io.fiber.spec.Secret;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobEvent;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.Program;
import io.fiber.spi.backend.Submission;
import io.fiber.tck.host.LogLines;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An allocation of four tasks whose room others hold. */
class StepsTest {

    private static final String REFUSED =
            "srun: error: Unable to create step for job 4711: Memory required by task is not available";
    private static final String BUSY =
            "srun: Job 4711 step creation temporarily disabled, retrying (Requested nodes are busy)";

    private final Slurm slurm = new Slurm(
            command -> new Answer(0, command.words().get(0).equals("sbatch") ? "17\n" : "", ""),
            Optional.empty(),
            SlurmFixture.COMMAND_LIMIT);
    private final BlockingQueue<JobEvent> events = new LinkedBlockingQueue<>();

    @TempDir
    Path directory;

    /** Returns steps whose srun is a shell with this script, which writes to the file {@code $1}. */
    private Steps steps(String script) {
        Steps.Starter srun =
                (words, errors) -> new ProcessBuilder("/bin/sh", "-c", script, "srun", errors.toString()).start();
        return new Steps(
                new Allocation("4711", 4, 1, 0, JobDetails.UNKNOWN), new Steps.Srun(srun, directory), slurm, script());
    }

    private JobScript script() {
        return new JobScript(
                SiteOptions.of(SlurmFixture.options(Map.of())), Path.of("/home/me/project"), slurm.badNodes(), true);
    }

    private BatchBackend open(Steps steps) {
        SlurmQueue queue = new SlurmQueue(slurm, script(), Optional.of(steps), "abcdefghij01");
        return new ScriptedHost(command -> new Answer(0, "", ""), directory).open(queue, "abcdefghij01");
    }

    private List<Job> launch(BatchBackend backend, int count) {
        JobSpec spec = JobSpec.builder(new Program.Command(List.of("true"))).build();
        List<Submission.Instance> instances = IntStream.range(0, count)
                .mapToObj(i -> new Submission.Instance("worker-" + i, Secret.empty()))
                .toList();
        return backend.submit(new Submission(spec, instances), events::add);
    }

    /** One task was never given to a worker; but what others hold may be that one. */
    @Test
    void replacementsOfStepsThatSrunCouldNotMakeAreJobs() throws Exception {
        try (BatchBackend backend = open(steps("echo '" + REFUSED + "' >\"$1\"; exit 1"))) {
            assertThat(launch(backend, 3)).allMatch(job -> job.id().startsWith("4711."));
            for (int i = 0; i < 3; i++) {
                assertThat(events.poll(30, TimeUnit.SECONDS))
                        .isInstanceOfSatisfying(
                                JobEvent.Ended.class,
                                end -> assertThat(end.termination().cause()).isEqualTo(EndCause.NO_ROOM));
            }

            assertThat(launch(backend, 2)).extracting(Job::id).containsExactly("17_0", "17_1");
        }
    }

    @Test
    void waitForRoomIsToldOnce() throws InterruptedException {
        try (LogLines lines = LogLines.of(Steps.class.getName(), Level.INFO);
                BatchBackend backend = open(steps("echo '" + BUSY + "' >\"$1\"; exec sleep 600"))) {
            launch(backend, 2);
            for (int i = 0; i < 2; i++) {
                assertThat(events.poll(30, TimeUnit.SECONDS)).isInstanceOf(JobEvent.Waiting.class);
            }
            assertThat(lines.messages())
                    .containsExactly(
                            "A worker waits for room in job 4711 (StepsBusy): other steps hold the tasks of this"
                                    + " allocation; a master that srun has started holds some too, and all memory of"
                                    + " the job unless it was started by srun --ntasks=1 --exact with --mem, or by srun"
                                    + " --overlap. After 60 s it is given up, and further workers become jobs of their"
                                    + " own.");
        }
    }
}
