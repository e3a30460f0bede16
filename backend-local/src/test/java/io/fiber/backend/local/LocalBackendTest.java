// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static io.fiber.backend.local.LocalSession.LIMIT;
import static io.fiber.backend.local.LocalSession.assertGone;
import static io.fiber.backend.local.LocalSession.command;
import static io.fiber.backend.local.LocalSession.java;
import static io.fiber.backend.local.LocalSession.shell;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fiber.spi.Resources;
import io.fiber.spi.Secret;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobEvent;
import io.fiber.spi.backend.JobOutput;
import io.fiber.spi.backend.JobRejectedException;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.JobState;
import io.fiber.spi.backend.JobTermination;
import io.fiber.spi.backend.JobTermination.Cause;
import io.fiber.spi.backend.Submission;
import io.fiber.spi.backend.Volume;
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

            assertThat(termination.cause()).isEqualTo(Cause.SIGNALLED);
            assertThat(termination.exitCode()).isEqualTo(OptionalInt.of(137));
            assertThat(termination.detail()).startsWith("signal 9");
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

            assertThat(termination.cause()).isEqualTo(Cause.TIME_LIMIT);
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

            job.cancel(Duration.ofMillis(200));

            assertThat(session.awaitEnd(job)).isEqualTo(cancelledWith(137));
            assertGone(Long.parseLong(job.id()));
            assertGone(Long.parseLong(job.logs(2).get(0)));
        }

        @Test
        void childInASessionOfItsOwnIsKilledToo() {
            Job job = session.start(shell("setsid sh -c 'echo $$; sleep 300' & wait"));
            await().atMost(LIMIT).until(() -> job.logs(1).size() == 1);

            job.cancel(Duration.ZERO);

            session.awaitEnd(job);
            assertGone(Long.parseLong(job.logs(1).get(0)));
        }

        @Test
        void stoppedJobIsKilled() throws Exception {
            Job job = session.start(command("sleep", "300"));
            new ProcessBuilder("/bin/sh", "-c", "kill -STOP " + job.id())
                    .start()
                    .waitFor();

            job.cancel(Duration.ofMillis(100));

            assertThat(session.awaitEnd(job)).isEqualTo(cancelledWith(137));
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
    class Refusals {
        @Test
        void whatIsNotOfferedIsRefusedByName() {
            assertRefused(
                    shell("true").resources(Resources.unspecified().gpus(2)),
                    "FBR-106 Process 'train' needs GPU (gpus=2); backend 'local' does not offer it. Leave it out, or"
                            + " choose a backend that offers GPU.");
            assertRefused(
                    shell("true").image("debian:12"),
                    "FBR-106 Process 'train' needs IMAGE (image=debian:12); backend 'local' does not offer it. Leave it"
                            + " out, or choose a backend that offers IMAGE.");
            assertRefused(
                    shell("true").resources(Resources.cpus(2)),
                    "FBR-106 Process 'train' needs CPU_LIMIT (cpus=2.0) for a plain command; backend 'local' offers it"
                            + " for Java programs only, as the number of processors that their JVM counts on. Leave the"
                            + " cpus out, or choose a backend that bounds any program.");
            assertThatThrownBy(() -> session.start(
                            shell("true").volumes(List.of(new Volume("data", "/data", Volume.Access.READ_ONLY)))))
                    .isInstanceOf(JobRejectedException.class)
                    .hasMessageStartingWith("FBR-106 Process 'train' needs VOLUMES (volumes=[");
            assertThatThrownBy(() -> session.start(
                            shell("true").resources(Resources.unspecified().memory("64m"))))
                    .isInstanceOf(JobRejectedException.class)
                    .hasMessageStartingWith(
                            "FBR-106 Process 'train' needs MEMORY_LIMIT (memoryBytes=67108864) for a plain command;");
        }

        @Test
        void programThatCannotBeExecutedIsRefused() throws IOException {
            assertThatThrownBy(() -> session.start(command("no-such-program-of-fiber")))
                    .isInstanceOf(JobRejectedException.class)
                    .hasMessageStartingWith("Process 'train' cannot be started: the program 'no-such-program-of-fiber'"
                            + " cannot be executed, because no directory of its PATH (");
            Path plain = Files.writeString(directory.resolve("plain"), "exit 0");
            assertRefused(
                    command(plain.toString()),
                    "Process 'train' cannot be started: the program '" + plain + "' cannot be executed, because '"
                            + plain + "' is not executable by this user. Correct the command, or install the program.");
            Path script = Files.writeString(directory.resolve("script"), "#!/no/such/sh -e\n");
            assertThat(script.toFile().setExecutable(true)).isTrue();
            assertRefused(
                    command("./script").workingDirectory(directory),
                    "Process 'train' cannot be started: the program './script' cannot be executed, because its first"
                            + " line names the interpreter '/no/such/sh', which cannot be executed. Correct the command,"
                            + " or install the program.");
        }

        @Test
        void workingDirectoryThatIsMissingIsRefused() {
            Path missing = directory.resolve("missing");
            assertRefused(
                    shell("true").workingDirectory(missing),
                    "Process 'train' is to start in the working directory '" + missing
                            + "', which is not a directory of this host. Create it, or name another one.");
        }

        /** The second job cannot be started because its log file is a directory; the first had been started by then. */
        @Test
        void submissionIsStartedWholeOrNotAtAll() throws IOException {
            Files.createDirectory(directory.resolve("job-1.log"));
            Path mark = directory.resolve("pid");

            assertThatThrownBy(() -> session.start(
                            shell("echo $$ > " + mark + "; sleep 300").output(new JobOutput.Files(directory)), 3))
                    .isInstanceOf(JobRejectedException.class)
                    .hasMessageStartingWith("Process 'job-1' cannot be started: ");

            assertThat(session.events()).isEmpty();
            assertThat(session.registered()).isEmpty();
            if (Files.exists(mark)) {
                assertGone(Long.parseLong(Files.readString(mark).strip()));
            }
        }

        private void assertRefused(JobSpec.Builder spec, String message) {
            assertThatThrownBy(() -> session.start(spec))
                    .isInstanceOf(JobRejectedException.class)
                    .hasMessage(message);
            assertThat(session.events()).isEmpty();
        }
    }

    @Nested
    class Surroundings {
        @Test
        void environmentIsInheritedAndExtended() {
            Job job = session.start(shell("echo $FIBER_TEST; echo $HOME; echo x$FIBER_BOOTSTRAP")
                    .environment(Map.of("FIBER_TEST", "a b")));

            session.awaitEnd(job);

            assertThat(job.logs(3)).containsExactly("a b", System.getenv("HOME"), "x");
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
            Job job = session.start(java(Probes.class, List.of("-Dx=1"), "limits")
                    .resources(Resources.unspecified().memory("64m")));

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
            assertThat(session.awaitEnd(job).cause()).isEqualTo(Cause.SIGNALLED);
            assertGone(Long.parseLong(job.logs(1).get(0)));
            assertThat(session.registered()).isEmpty();
        }
    }

    private static JobTermination cancelledWith(int exitCode) {
        return new JobTermination(JobState.CANCELLED, JobTermination.Cause.CANCELLED, OptionalInt.of(exitCode), "");
    }
}
