// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static io.fiber.backend.local.LocalSession.assertGone;
import static io.fiber.backend.local.LocalSession.shell;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fiber.Fiber;
import io.fiber.Pool;
import io.fiber.spec.EndCause;
import io.fiber.spec.Resources;
import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobEvent;
import io.fiber.spi.backend.JobRejectedException;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.JobState;
import io.fiber.spi.backend.JobTermination;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The GPUs of a host that jobs share. They are names: no job of these tests uses one. */
class GpusTest {

    static final Map<String, String> TWO = Map.of("gpus", "GPU-a, MIG-b");
    private static final String DESCRIBED = "GPUs GPU-a, MIG-b (fiber.local.gpus)";

    @TempDir
    Path tmp;

    private static JobSpec.Builder sleeper(int gpus) {
        return shell("echo has $CUDA_VISIBLE_DEVICES; exec sleep 600").resources(Resources.gpus(gpus));
    }

    private static List<String> runningWith(LocalSession session, Job job) {
        await("output of " + job)
                .atMost(LocalFiber.LIMIT)
                .until(() -> !job.logs(1).isEmpty());
        assertThat(session.eventsOf(job)).last().isInstanceOf(JobEvent.Running.class);
        return List.of(job.logs(1).get(0).substring("has ".length()).split(","));
    }

    private static String awaitReason(LocalSession session, Job job) {
        return await("reason why " + job + " waits")
                .atMost(LocalFiber.LIMIT)
                .until(
                        () -> session.eventsOf(job).stream()
                                .filter(JobEvent.Waiting.class::isInstance)
                                .map(event -> ((JobEvent.Waiting) event).reason())
                                .toList(),
                        reasons -> !reasons.isEmpty())
                .get(0);
    }

    private static void kill(Job job) {
        ProcessHandle.of(Long.parseLong(job.id())).orElseThrow().destroyForcibly();
    }

    @Test
    void eachJobHasOneOfItsOwnAndTheThirdWaits() {
        try (LocalSession session = new LocalSession(tmp, "one", TWO)) {
            List<Job> jobs = session.start(sleeper(1), 3);

            assertThat(runningWith(session, jobs.get(0))).containsExactly("GPU-a");
            assertThat(runningWith(session, jobs.get(1))).containsExactly("MIG-b");
            assertThat(awaitReason(session, jobs.get(2)))
                    .isEqualTo("needs 1 of the " + DESCRIBED + "; processes that hold some: "
                            + jobs.get(0).id() + ", " + jobs.get(1).id());
            assertThat(jobs.get(2).state()).isEqualTo(JobState.QUEUED);

            kill(jobs.get(1));

            assertThat(runningWith(session, jobs.get(2))).containsExactly("MIG-b");
        }
    }

    @Test
    void jobThatNeedsAllIsNotPassed() {
        try (LocalSession session = new LocalSession(tmp, "one", TWO)) {
            Job first = session.start(sleeper(1));
            runningWith(session, first);
            Job both = session.start(sleeper(2));
            Job last = session.start(sleeper(1));
            awaitReason(session, both);
            awaitReason(session, last);

            kill(first);

            assertThat(runningWith(session, both)).containsExactly("GPU-a", "MIG-b");
            assertThat(last.state()).isEqualTo(JobState.QUEUED);
        }
    }

    @Test
    void waitingJobThatIsCancelledNeverRuns() {
        Path mark = tmp.resolve("ran");
        try (LocalSession session = new LocalSession(tmp, "one", TWO)) {
            Job holder = session.start(sleeper(2));
            runningWith(session, holder);
            Job waiting = session.start(shell("touch " + mark).resources(Resources.gpus(1)));
            awaitReason(session, waiting);

            waiting.cancel(Duration.ofMinutes(1));
            JobTermination end = session.awaitEnd(waiting);
            kill(holder);
            runningWith(session, session.start(sleeper(2)));

            assertThat(end.state()).isEqualTo(JobState.CANCELLED);
            assertThat(session.eventsOf(waiting)).noneMatch(JobEvent.Running.class::isInstance);
            assertThat(mark).doesNotExist();
        }
    }

    @Test
    void waitingForAGpuDoesNotCountAsRunning() throws InterruptedException {
        try (LocalSession session = new LocalSession(tmp, "one", TWO)) {
            Job holder = session.start(sleeper(2));
            runningWith(session, holder);
            Job limited = session.start(sleeper(1).timeLimit(Duration.ofMillis(300)));
            awaitReason(session, limited);
            LocalFiber.last(Duration.ofMillis(600));
            assertThat(limited.state()).isEqualTo(JobState.QUEUED);

            kill(holder);

            assertThat(session.awaitEnd(limited).cause()).isEqualTo(EndCause.TIME_LIMIT);
        }
    }

    @Test
    void sessionsShareTheGpusOfTheirUser() {
        try (LocalSession one = new LocalSession(tmp, "one", TWO);
                LocalSession other = new LocalSession(tmp, "other", TWO)) {
            Job holder = one.start(sleeper(2));
            runningWith(one, holder);
            Job waiting = other.start(sleeper(1));
            assertThat(awaitReason(other, waiting)).endsWith("processes that hold some: " + holder.id());

            holder.cancel(Duration.ZERO);

            assertThat(runningWith(other, waiting)).containsExactly("GPU-a");
        }
    }

    @Test
    void gpusOfAProgramThatWasKilledAreFree() throws Exception {
        try (MasterJvm master = new MasterJvm(tmp, GpuPrograms.class, List.of(), "hold", "2");
                LocalSession session = new LocalSession(directoryOfUser(), "one", TWO)) {
            long worker = Long.parseLong(master.awaitLine("worker has its GPUs "));
            Job waiting = session.start(sleeper(2));
            assertThat(awaitReason(session, waiting)).endsWith("processes that hold some: " + worker);

            master.process().destroyForcibly();

            assertThat(runningWith(session, waiting)).hasSize(2);
            assertGone(worker);
        }
    }

    /** A program that was given GPUs by a job of Fiber gives them to workers of its own. */
    @Test
    void jobPassesItsGpusOn() throws Exception {
        try (MasterJvm master = new MasterJvm(tmp, GpuPrograms.class, List.of(), "pass-on")) {
            assertThat(master.awaitLine("inner worker has ")).isEqualTo("[MIG-b]");
            master.awaitEnd();
        }
    }

    @Test
    void workersKnowTheirGpus() {
        try (Fiber fiber = LocalFiber.builder()
                        .set("local.gpus", "GPU-" + LocalFiber.pid() + "a,GPU-" + LocalFiber.pid() + "b")
                        .open();
                Pool pool = fiber.poolBuilder(2).resources(Resources.gpus(1)).build()) {
            List<String> names = pool.map(
                    item -> {
                        LocalFiber.last(Duration.ofMillis(20));
                        return String.join(",", Fiber.current().currentProcess().gpus());
                    },
                    IntStream.range(0, 50));

            assertThat(names).contains("GPU-" + LocalFiber.pid() + "a");
            assertThat(names).allMatch(name -> name.matches("GPU-" + LocalFiber.pid() + "[ab]"));
        }
    }

    @Test
    void moreThanThereAreAreRefused() {
        try (LocalSession session = new LocalSession(tmp, "one", TWO)) {
            assertThatThrownBy(() -> session.start(sleeper(3)))
                    .isInstanceOf(JobRejectedException.class)
                    .hasMessage("FBR-106 Process 'train' needs GPU (gpus=3); this host has " + DESCRIBED
                            + ". Ask for at most 2, name GPUs in fiber.local.gpus, or choose a backend with larger"
                            + " hosts.");
            assertThatThrownBy(() -> session.start(sleeper(1).environment(Map.of("CUDA_VISIBLE_DEVICES", "7"))))
                    .isInstanceOf(JobRejectedException.class)
                    .hasMessage("FBR-106 Process 'train' needs GPU (gpus=1) and has CUDA_VISIBLE_DEVICES=7 in its"
                            + " environment; expected one of the two. Leave the variable out, or ask for no GPU.");
            assertThat(session.events()).isEmpty();
        }
    }

    @Test
    void invalidNamesAreRefused() {
        try (LocalSession word = new LocalSession(tmp, "word", Map.of("gpus", "0,first"));
                LocalSession twice = new LocalSession(tmp, "twice", Map.of("gpus", "0,1,0"))) {
            assertThatThrownBy(() -> word.start(sleeper(1)))
                    .isInstanceOf(BackendException.class)
                    .hasMessage("FBR-129 The option fiber.local.gpus has 'first'; expected numbers or UUIDs (GPU-...,"
                            + " MIG-...), separated by commas, for example 0,1.");
            assertThatThrownBy(() -> twice.start(sleeper(1)))
                    .isInstanceOf(BackendException.class)
                    .hasMessage("FBR-129 The option fiber.local.gpus has '0'; expected each GPU once, separated by"
                            + " commas, for example 0,1.");
        }
    }

    @Test
    void plainCommandReadsAnEmptyInput() {
        try (LocalSession session = new LocalSession(tmp, "one", TWO)) {
            Job job = session.start(shell("cat; echo read all").resources(Resources.gpus(1)));

            session.awaitEnd(job);

            assertThat(job.logs(9)).containsExactly("read all");
        }
    }

    @Test
    void jobWithoutGpusSeesWhatThisProgramSees() {
        try (LocalSession session = new LocalSession(tmp, "one", TWO)) {
            Job job = session.start(shell("echo ${CUDA_VISIBLE_DEVICES-unset}"));

            session.awaitEnd(job);

            String own = System.getenv("CUDA_VISIBLE_DEVICES");
            assertThat(job.logs(9)).containsExactly(own == null ? "unset" : own);
        }
    }

    @Test
    void noGpuIsHeldTwiceWhenJobsAreKilled() throws Exception {
        killJobs(15);
    }

    @Test
    @Tag("soak")
    @Timeout(900)
    void noGpuIsHeldTwiceWhenManyJobsAreKilled() throws Exception {
        killJobs(100);
    }

    /** Two programs kill jobs of their own that were given a GPU. A third program that has one is killed itself. */
    private void killJobs(int kills) throws Exception {
        String directory = directoryOfUser().toString();
        String held = Files.createDirectory(tmp.resolve("held")).toString();
        try (MasterJvm mortal = new MasterJvm(tmp, GpuPrograms.class, List.of(), "hold", "1");
                MasterJvm one = killer(directory, held, kills);
                MasterJvm other = killer(directory, held, kills)) {
            mortal.awaitLine("worker has its GPUs ");
            mortal.process().destroyForcibly();

            assertThat(one.awaitLine("jobs said ")).isEqualTo("[held]");
            assertThat(other.awaitLine("jobs said ")).isEqualTo("[held]");
            one.awaitEnd();
            other.awaitEnd();
        }
    }

    private MasterJvm killer(String directory, String held, int kills) {
        return new MasterJvm(
                tmp, GpuPrograms.class, List.of("-Xmx64m"), "kill-jobs", directory, held, String.valueOf(kills));
    }

    private Path directoryOfUser() throws IOException {
        return Files.createDirectory(
                tmp.resolve("fiber-" + System.getProperty("user.name")),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }
}
