// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fiber.spi.backend.BackendUnavailableException;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobState;
import io.fiber.spi.backend.JobTermination;
import io.fiber.tck.cluster.Gate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sessions that break. {@link SshClusterTest} runs it as the user of a cluster. */
class SshSessionKit {

    private static final Duration LIMIT = KitSession.LIMIT;
    private static final int JOBS = 3;

    @TempDir
    Path directory;

    /** A program that leaves a file for each of its runs, and ends when it may. */
    private List<Job> startJobs(KitSession session) {
        String line =
                "mktemp " + directory + "/ran-XXXXXX; while ! [ -e " + directory + "/go ]; do sleep 0.2; done; exit 3";
        List<Job> jobs = session.start(KitSession.shell(line), JOBS);
        await().atMost(LIMIT)
                .until(() -> jobs.stream().allMatch(job -> job.state() == JobState.RUNNING) && runs() == JOBS);
        return jobs;
    }

    private long runs() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.getFileName().toString().startsWith("ran-"))
                    .count();
        }
    }

    private void assertThatAllEndAsTheyWould(KitSession session, List<Job> jobs) throws IOException {
        Files.createFile(directory.resolve("go"));
        jobs.forEach(job -> assertThat(session.awaitEnd(job)).isEqualTo(JobTermination.exited(3)));
        assertThat(runs()).as("runs of " + JOBS + " jobs").isEqualTo(JOBS);
        assertThat(session.calls("sbatch")).isOne();
    }

    @Test
    void sessionWhoseServerIsKilledIsOpenedAgainAndNothingIsLost() throws IOException {
        Path config = SshFixture.directoryOfLogin().resolve("config");
        try (KitSession session = new KitSession(directory, SshFixture.login(config))) {
            List<Job> jobs = startJobs(session);

            // Above the shell that runs it is the server's process of this connection.
            assertThatThrownBy(() -> session.run("sh", "-c", "kill -9 $(ps -o ppid= -p $PPID); sleep 60"))
                    .isInstanceOf(BackendUnavailableException.class)
                    .hasMessageStartingWith("FBR-150 The login node 'login'")
                    .hasMessageContaining("went away while it was asked for");

            assertThat(session.run("echo", "there").output()).isEqualTo("there\n");
            assertThatAllEndAsTheyWould(session, jobs);
        }
        assertThat(directory.resolve("shared")).isEmptyDirectory();
    }

    @Test
    void jobsGoOnWhileTheLoginNodeIsAwayAndAreAskedForLater() throws IOException {
        Path config = directory.resolve("config");
        String text = Files.readString(SshFixture.directoryOfLogin().resolve("config"));
        try (Gate gate = SshFixture.gateBeforeLogin(text)) {
            Files.writeString(config, SshFixture.configThrough(gate, text));
            try (KitSession session = new KitSession(directory, SshFixture.login(config))) {
                List<Job> jobs = startJobs(session);
                gate.shut();
                await().atMost(LIMIT).ignoreExceptions().until(() -> isUnavailable(session));
                assertThat(jobs).allSatisfy(job -> assertThat(job.state()).isEqualTo(JobState.RUNNING));
                gate.open();
                assertThatAllEndAsTheyWould(session, jobs);
            }
        }
        assertThat(directory.resolve("shared")).isEmptyDirectory();
    }

    private static boolean isUnavailable(KitSession session) {
        try {
            session.run("true");
            return false;
        } catch (BackendUnavailableException e) {
            return String.valueOf(e.getMessage()).contains("cannot be reached");
        }
    }
}
