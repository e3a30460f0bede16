// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static io.fiber.backend.local.LocalFiber.LIMIT;
import static io.fiber.backend.local.LocalSession.assertGone;
import static io.fiber.backend.local.LocalSession.command;
import static io.fiber.backend.local.LocalSession.java;
import static io.fiber.backend.local.LocalSession.shell;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fiber.spec.EndCause;
import io.fiber.spec.Resources;
import io.fiber.spec.Secret;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobEvent;
import io.fiber.spi.backend.JobOutput;
import io.fiber.spi.backend.JobState;
import io.fiber.spi.backend.JobTermination;
import io.fiber.spi.backend.Submission;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalBackendTest {

    @TempDir
    Path directory;

    private LocalSession session;

    @BeforeEach
    void open() {
        session = new LocalSession(directory);
    }

    @AfterEach
    void close() {
        session.close();
    }

    @Nested
    class Ends {
        @Test
        void eventsAreRunningThenEndedAndNothingElse() {
            Job job = session.start(shell("exit 0"));

            assertThat(session.awaitEnd(job)).isEqualTo(JobTermination.exited(0));
            assertThat(session.eventsOf(job)).hasSize(2).first().isInstanceOf(JobEvent.Running.class);
            assertThat(job.state()).isEqualTo(JobState.SUCCEEDED);
        }

        @Test
        void exitCodeIsTheProgramsOwn() {
            assertThat(session.awaitEnd(session.start(shell("exit 7")))).isEqualTo(JobTermination.exited(7));
            assertThat(session.awaitEnd(session.start(shell("exit 255")))).isEqualTo(JobTermination.exited(255));
        }

        @Test
        void deathBySignalIsToldAsSuch() {
            JobTermination termination = session.awaitEnd(session.start(shell("kill -KILL $$")));

            assertThat(termination.cause()).isEqualTo(EndCause.SIGNALLED);
            assertThat(termination.exitCode()).isEqualTo(OptionalInt.of(137));
            assertThat(termination.detail()).isEqualTo("signal 9; perhaps the kernel needed the memory, see 'dmesg'");
        }

        @Test
        void signalOfALimitSaysWhichOne() {
            JobTermination termination = session.awaitEnd(session.start(shell("kill -XCPU $$")));

            assertThat(termination.describe())
                    .isEqualTo(
                            "signalled (exit code 152): signal 24 (SIGXCPU): it has used the processor time that a limit"
                                    + " allows (ulimit -t)");
        }

        @Test
        void whatAProgramLeavesBehindEndsWithIt() {
            Job job = session.start(shell("sleep 300 & echo $!"));

            session.awaitEnd(job);

            assertGone(Long.parseLong(job.logs(1).get(0)));
        }

        @Test
        void jobThatRunsTooLongIsEndedByItsTimeLimit() {
            Job job = session.start(shell("sleep 300").timeLimit(Duration.ofMillis(100)));

            JobTermination termination = session.awaitEnd(job);

            assertThat(termination.cause()).isEqualTo(EndCause.TIME_LIMIT);
            assertThat(termination.state()).isEqualTo(JobState.FAILED);
        }
    }

    @Nested
    class Listening {
        @Test
        void listenerThatThrowsIsStillToldTheRestAndHarmsNoOther() {
            List<JobEvent> events = new CopyOnWriteArrayList<>();
            Submission submission = Submission.of(shell("exit 0").build(), "noisy", Secret.empty());
            session.backend().submit(submission, event -> {
                events.add(event);
                throw new IllegalStateException("a listener of the test, which throws");
            });

            assertThat(session.awaitEnd(session.start(shell("exit 0")))).isEqualTo(JobTermination.exited(0));
            await().atMost(LIMIT).until(() -> events.size() == 2);
        }

        @Test
        void timeLimitBeyondAllTimeIsNone() {
            Job job = session.start(shell("exit 0").timeLimit(Duration.ofSeconds(Long.MAX_VALUE)));

            assertThat(session.awaitEnd(job)).isEqualTo(JobTermination.exited(0));
        }
    }

    @Nested
    class Cancel {
        @Test
        void politeJobEndsByItselfWithinItsGrace() {
            Job job = session.start(
                    shell("trap 'echo bye; exit 0' TERM; echo ready; while :; do sleep 300 & wait; done"));
            session.awaitLog(job, "ready");

            job.cancel(LIMIT);

            assertThat(session.awaitEnd(job)).isEqualTo(cancelledWith(0));
            assertThat(job.logs(1)).containsExactly("bye");
        }

        @Test
        void jobThatIgnoresTheSignalIsKilledWithItsChildrenAfterItsGrace() {
            Job job = session.start(shell("trap '' TERM; sleep 300 & echo $!; echo ready; wait"));
            session.awaitLog(job, "ready");
            long child = Long.parseLong(job.logs(2).get(0));

            job.cancel(Duration.ofMillis(200));

            assertThat(session.awaitEnd(job)).isEqualTo(cancelledWith(137));
            assertGone(Long.parseLong(job.id()));
            assertGone(child);
        }

        @Test
        void childInASessionOfItsOwnIsKilledToo() {
            Job job = session.start(shell("setsid sh -c 'echo $$; sleep 300' & wait"));
            await().atMost(LIMIT).until(() -> job.logs(1).size() == 1);
            // Before the end: the shell may write "Killed" as its last line.
            long child = Long.parseLong(job.logs(1).get(0));

            job.cancel(Duration.ZERO);

            session.awaitEnd(job);
            assertGone(child);
        }

        @Test
        void stoppedJobIsKilled() throws Exception {
            Job job = session.start(command("sleep", "300"));
            new ProcessBuilder("/bin/sh", "-c", "kill -STOP " + job.id())
                    .start()
                    .waitFor();
            // kill returns before the signal has had its effect: SIGTERM would end a process that is not stopped yet.
            await().atMost(LIMIT).until(() -> isStopped(job));

            job.cancel(Duration.ofMillis(100));

            assertThat(session.awaitEnd(job)).isEqualTo(cancelledWith(137));
        }

        private static boolean isStopped(Job job) throws IOException {
            return Files.readAllLines(Path.of("/proc", job.id(), "status")).stream()
                    .anyMatch(line -> line.startsWith("State:") && line.contains("T (stopped)"));
        }

        @Test
        void secondCallShortensTheGraceAndNeverExtendsIt() {
            Job job = session.start(shell("trap '' TERM; echo ready; while :; do sleep 300; done"));
            session.awaitLog(job, "ready");

            job.cancel(Duration.ofDays(400_000));
            job.cancel(Duration.ZERO);
            job.cancel(Duration.ofDays(1));

            assertThat(session.awaitEnd(job)).isEqualTo(cancelledWith(137));
        }

        @Test
        void jobThatHasEndedStaysAsItIs() {
            Job job = session.start(shell("exit 3"));
            session.awaitEnd(job);

            job.cancel(Duration.ZERO);

            assertThat(job.state()).isEqualTo(JobState.FAILED);
            assertThat(session.eventsOf(job)).hasSize(2);
        }

        @Test
        void closeEndsEverything() {
            List<Job> jobs = session.start(shell("trap '' TERM; while :; do sleep 300; done"), 5);

            session.close();

            assertThat(jobs).allSatisfy(job -> {
                assertThat(job.state()).isEqualTo(JobState.CANCELLED);
                assertGone(Long.parseLong(job.id()));
            });
            assertThatThrownBy(() -> session.start(shell("exit 0")))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("The backend 'local' is closed; it takes no more jobs.");
        }
    }

    @Nested
    class Surroundings {
        @Test
        void environmentIsInheritedAndExtended() {
            Job job = session.start(shell("echo $FIBER_TEST; echo $PATH; echo x$FIBER_BOOTSTRAP")
                    .environment(Map.of("FIBER_TEST", "a b")));

            session.awaitEnd(job);

            assertThat(job.logs(3)).containsExactly("a b", System.getenv("PATH"), "x");
        }

        @Test
        void workingDirectoryIsTheCallersUnlessNamed() throws IOException {
            Job here = session.start(shell("pwd -P"));
            session.awaitEnd(here);
            Job there = session.start(shell("pwd -P").workingDirectory(directory));
            session.awaitEnd(there);

            assertThat(here.logs(1)).containsExactly(Path.of("").toRealPath().toString());
            assertThat(there.logs(1)).containsExactly(directory.toRealPath().toString());
        }

        @Test
        void javaProgramRunsOnThisJvmsJavaWithItsMemoryInFront() {
            Job job =
                    session.start(java(Probes.class, List.of("-Dx=1"), "limits").resources(Resources.memory("64m")));

            session.awaitEnd(job);

            assertThat(job.logs(3)).containsExactly(System.getProperty("java.home"), "[-Xmx64m, -Dx=1]");
        }

        @Test
        void programWithoutBootstrapReadsTheEndOfItsInput() {
            assertThat(session.awaitEnd(session.start(command("cat")))).isEqualTo(JobTermination.exited(0));
        }

        @Test
        void bootstrapArrivesWholeAndInputStaysOpen() {
            String secret = "s".repeat(300_000);
            Job job = session.start(
                    java(Probes.class, List.of(), "bootstrap"), Secret.of(secret.getBytes(StandardCharsets.US_ASCII)));
            session.awaitLog(job, "stdin 300000 ssss");
            session.awaitLog(job, "nothing more to read");

            assertThat(job.state()).isEqualTo(JobState.RUNNING);
            job.cancel(Duration.ZERO);
            session.awaitEnd(job);
        }
    }

    @Nested
    class Resourcefulness {
        @Test
        @Tag("soak")
        void thousandJobsLeakNoFileDescriptor() throws IOException {
            for (int round = 0; round < 3; round++) {
                start(20);
            }
            long before = fileDescriptors();

            for (int round = 0; round < 50; round++) {
                start(20);
            }

            assertThat(fileDescriptors()).isLessThanOrEqualTo(before + 5);
        }

        private void start(int count) {
            List<Job> jobs = session.start(shell("echo hello").output(new JobOutput.None()), count);
            jobs.forEach(session::awaitEnd);
            assertThat(jobs).allSatisfy(job -> assertThat(job.logs(1)).containsExactly("hello"));
        }

        private static long fileDescriptors() throws IOException {
            try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
                return descriptors.count();
            }
        }

        @Test
        void jobIsAGroupOfItsOwnUnderItsOwnPid() {
            Job job = session.start(shell("cut -d' ' -f5 /proc/$$/stat"));

            session.awaitEnd(job);

            assertThat(job.logs(1)).containsExactly(job.id());
        }

        @Test
        void registeredCommandKillsTheJobFromOutside() throws Exception {
            Job job = session.start(shell("sleep 300 & echo $!; wait"));
            await().atMost(LIMIT).until(() -> job.logs(1).size() == 1);
            assertThat(session.registered()).hasSize(1);

            Process kill = new ProcessBuilder(session.registered().get(0)).start();

            assertThat(kill.waitFor(10, TimeUnit.SECONDS)).isTrue();
            assertThat(session.awaitEnd(job).cause()).isEqualTo(EndCause.SIGNALLED);
            assertGone(Long.parseLong(job.logs(1).get(0)));
            assertThat(session.registered()).isEmpty();
        }
    }

    private static JobTermination cancelledWith(int exitCode) {
        return new JobTermination(JobState.CANCELLED, EndCause.CANCELLED, OptionalInt.of(exitCode), "");
    }
}
