// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.spec.EndCause;
import io.fiber.spec.Resources;
import io.fiber.spi.CallerHost;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.JobState;
import io.fiber.spi.backend.JobTermination;
import io.fiber.spi.backend.Program;
import io.fiber.spi.backend.Reaper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class SmallPartsTest {

    private static final Program.Java JAVA =
            new Program.Java(Optional.empty(), List.of("-Da=b"), List.of("c.jar"), List.of(), "a.B", List.of("x"));
    private static final Program.Command TOOL = new Program.Command(List.of("tool", "x"));

    private static ContainedProgram program(Program program, String memory) {
        Resources resources = memory.isEmpty() ? Resources.unspecified() : Resources.memory(memory);
        return ContainedProgram.of(JobSpec.builder(program).resources(resources).build(), OptionalLong.empty());
    }

    @Test
    void containerOfAJavaProgramHasRoomBesideTheHeap() {
        assertThat(program(JAVA, "100m").limitBytes(32 << 20)).hasValue((100L + 192 + 32) << 20);
        assertThat(program(JAVA, "4g").limitBytes(32 << 20)).hasValue((5L * 1024 + 32) << 20);
        assertThat(program(TOOL, "100m").limitBytes(32 << 20)).hasValue(100L << 20);
        assertThat(program(JAVA, "").limitBytes(32 << 20)).isEmpty();
    }

    @Test
    void limitOfAContainerIsSaidWithItsParts() {
        assertThat(program(JAVA, "64m").limitWords(64 << 20))
                .contains("320 MiB: heap 64 MiB, 192 MiB beside it, 64 MiB of /dev/shm");
        assertThat(program(JAVA, "4g").limitWords(32 << 20))
                .contains("5152 MiB: heap 4096 MiB, 1024 MiB beside it, 32 MiB of /dev/shm");
        assertThat(program(JAVA, "1001m").limitWords(0))
                .contains("1281280 KiB: heap 1001 MiB, 256256 KiB beside it, 0 MiB of /dev/shm");
        assertThat(ContainedProgram.of(JobSpec.builder(JAVA).build(), OptionalLong.of(1))
                        .limitWords(1 << 20))
                .contains("202375169 bytes: heap 1 bytes, 192 MiB beside it, 1 MiB of /dev/shm");
        assertThat(program(TOOL, "100m").limitWords(32 << 20)).contains("100 MiB");
        assertThat(program(JAVA, "").limitWords(32 << 20)).isEmpty();
        assertThat(program(TOOL, "").limitWords(32 << 20)).isEmpty();
    }

    @Test
    void heapOfAJavaProgramIsTheMemoryThatItAsksForOrElseTheUsualOne() {
        JobSpec spec = JobSpec.builder(JAVA).build();

        assertThat(program(JAVA, "1m").words(JAVA, "/tmp", Optional.empty()))
                .containsExactly("java", "-Xmx1024k", "-Duser.home=/tmp", "-Da=b", "-cp", "c.jar", "a.B", "x");
        assertThat(ContainedProgram.of(spec, OptionalLong.of(2 << 20)).words(JAVA, "/tmp", Optional.empty()))
                .startsWith("java", "-Xmx2048k", "-Duser.home=/tmp", "-Da=b");
        assertThat(program(JAVA, "").words(JAVA, "/tmp", Optional.empty()))
                .startsWith("java", "-Duser.home=/tmp", "-Da=b");
        assertThat(program(TOOL, "1m").words(TOOL, "/tmp", Optional.empty())).containsExactly("tool", "x");
    }

    @Test
    void javaProgramHasTheHomeThatItsEnvironmentNamesAndANameForItsUser() {
        JobSpec spec =
                JobSpec.builder(JAVA).environment(Map.of("HOME", "/data/me")).build();
        ContainedProgram program = ContainedProgram.of(spec, OptionalLong.empty());

        assertThat(program.words(JAVA, "/tmp", Optional.of(new UserIds(4711, 100))))
                .startsWith("java", "-Duser.home=/data/me", "-Duser.name=user-4711", "-Da=b");
        assertThat(UserIds.UNPRIVILEGED.name()).isEqualTo("nobody");
        assertThat(new UserIds(0, 0).name()).isEqualTo("root");
    }

    @Test
    void programThatAnImageLacksIsNamed() {
        assertThat(program(TOOL, "").missingIn("'x' (asked for)", "no such file"))
                .isEqualTo("The image 'x' (asked for) has no program 'tool' that can be run: no such file. Expected an"
                        + " image with that program. Name another image, or the program's path in this one.");
        assertThat(program(JAVA, "").missingIn("'x'", "no such file"))
                .contains("has no program 'java' that", "image with a JRE 17 or later whose 'java' is on its PATH.");
    }

    @Test
    void exitCodesAreReadAsAShellHasThem() {
        assertThat(ExitCodes.termination(0).state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(ExitCodes.termination(3).describe()).isEqualTo("exit code 3");
        assertThat(ExitCodes.termination(143).cause()).isEqualTo(EndCause.SIGNALLED);
        assertThat(ExitCodes.termination(143).describe()).isEqualTo("signalled (exit code 143): signal 15");
        assertThat(JobTermination.failed(EndCause.EXITED, OptionalInt.empty(), "exit status 0xC0000005")
                        .describe())
                .isEqualTo("exit status 0xC0000005");
        assertThat(ExitCodes.signal(128)).isEmpty();
        assertThat(ExitCodes.signal(192)).hasValue(64);
        assertThat(ExitCodes.signal(193)).isEmpty();
        assertThat(ExitCodes.ofSignal(9)).hasValue(137);
        assertThat(ExitCodes.ofSignal(0)).isEmpty();
        assertThat(ExitCodes.ofSignal(65)).isEmpty();
    }

    @Test
    void labelsOfFiberWinOverThoseOfTheUser() {
        SessionLabels labels = new SessionLabels("s1", Map.of("by", "fiber"));

        assertThat(labels.ofSession()).isEqualTo(Map.of("io.fiber.session", "s1", "by", "fiber"));
        assertThat(labels.ofJob("a-1", Map.of("team", "x", "by", "me", "io.fiber.job", "none")))
                .isEqualTo(Map.of("team", "x", "by", "fiber", "io.fiber.session", "s1", "io.fiber.job", "a-1"));
        assertThat(labels.name()).isEqualTo("fiber-s1");
        assertThat(labels.name("a-1")).isEqualTo("fiber-s1-a-1");
        assertThat(labels.selector()).isEqualTo("io.fiber.session=s1");
    }

    @Test
    void userIsANumberWithOrWithoutAGroup() {
        assertThat(UserIds.parse(" 7 ")).hasValue(new UserIds(7, 7));
        assertThat(UserIds.parse("7:8").orElseThrow()).hasToString("7:8");
        assertThat(UserIds.parse("root")).isEmpty();
        assertThat(UserIds.parse("7:")).isEmpty();
        assertThat(UserIds.parse("1000680000:2147483647")).hasValue(new UserIds(1_000_680_000, Integer.MAX_VALUE));
        assertThat(UserIds.parse("2147483648")).isEmpty();
        assertThat(UserIds.parse("7:2147483648")).isEmpty();
        assertThat(UserIds.ofThisProcess().user()).isPositive();
    }

    @Test
    void nameThatIsNoAddressOfThisHostIsListenedForEverywhere() throws Exception {
        CallerHost own = CallerAddress.named("127.0.0.1");
        CallerHost other = CallerAddress.named("192.0.2.1");

        assertThat(own.bind().getHostAddress()).isEqualTo("127.0.0.1");
        assertThat(other.bind().getHostAddress()).isEqualTo("0.0.0.0");
        assertThat(other.advertised()).isEqualTo("192.0.2.1");
        assertThat(CallerAddress.named("no.such.name.invalid").advertised()).isEqualTo("no.such.name.invalid");
        assertThat(CallerAddress.towards("127.0.0.1").getHostAddress()).isEqualTo("127.0.0.1");
    }

    @Test
    void gateThatIsClosedLetsNothingPass() {
        SubmissionGate gate = new SubmissionGate("test");

        assertThat(gate.<String>pass(() -> "in")).isEqualTo("in");
        AtomicInteger ends = new AtomicInteger();
        Thread.currentThread().interrupt();
        gate.close(() -> {
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
            ends.incrementAndGet();
        });
        assertThat(Thread.interrupted()).isTrue();
        gate.close(ends::incrementAndGet);
        assertThat(ends).hasValue(1);
        assertThatThrownBy(() -> gate.pass(() -> "in"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("The backend 'test' is closed; it takes no more jobs.");
    }

    @Test
    void gateAdmitsNothingAfterAHandoverBecauseCloseWouldNotEndIt() {
        SubmissionGate gate = new SubmissionGate("test");

        assertThat(gate.handOver(() -> false)).as("too early").isFalse();
        assertThat(gate.<String>pass(() -> "in")).isEqualTo("in");
        assertThat(gate.isHandedOver()).isFalse();
        assertThat(gate.handOver(() -> true)).isTrue();
        assertThat(gate.isHandedOver()).isTrue();
        assertThatThrownBy(() -> gate.pass(() -> "in"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("The backend 'test' has handed its jobs over; it takes no more jobs.");
        AtomicInteger ends = new AtomicInteger();
        gate.close(ends::incrementAndGet);
        assertThat(ends).hasValue(1);
    }

    /** Notes what it is told. */
    private static final class NotingReaper implements Reaper {
        private final List<String> notes = new ArrayList<>();

        @Override
        public Registration onDeath(List<String> command) {
            notes.add("on death " + command);
            return () -> notes.add("taken back");
        }
    }

    @Test
    void sweepIsPreparedOnceAndTakenBackAtTheEnd() {
        NotingReaper reaper = new NotingReaper();
        Sweep sweep = new Sweep(reaper, List.of("true"));
        AtomicInteger removals = new AtomicInteger();

        sweep.finish(() -> removals.incrementAndGet() > 0, "never logged");
        sweep.prepare();
        sweep.prepare();
        sweep.finish(() -> removals.incrementAndGet() > 0, "never logged");

        assertThat(removals).hasValue(1);
        assertThat(reaper.notes).containsExactly("on death [true]", "taken back");
    }

    @Test
    void sweepThatIsNotConfirmedIsLeftToItsCommand() throws Exception {
        Path mark = Files.createTempFile("fiber", "sweep");
        Sweep sweep = new Sweep(new NotingReaper(), List.of("rm", mark.toString()));

        sweep.prepare();
        sweep.finish(() -> false, "The platform of a test did not confirm it.");

        Awaitility.await().until(() -> !Files.exists(mark));
    }

    @Test
    void sweepIsRepeatedUntilThereWasNothingLeftTwice() throws Exception {
        AtomicInteger attempts = new AtomicInteger();

        Sweep.repeat(() -> attempts.incrementAndGet() != 2, 1);

        assertThat(attempts).hasValue(4);
    }

    @Test
    void commandOfASweepHasThisClassPathAndItsArguments() {
        assertThat(Sweep.command(SmallPartsTest.class, "64m", List.of("a b")))
                .contains("-Xmx64m", "-cp")
                .endsWith(SmallPartsTest.class.getName(), "a b")
                .anyMatch(word -> word.contains("backend-support"));
    }
}
