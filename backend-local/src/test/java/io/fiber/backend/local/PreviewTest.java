// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.Fiber;
import io.fiber.FiberException;
import io.fiber.FiberProcessBuilder;
import io.fiber.Pool;
import io.fiber.PoolBuilder;
import io.fiber.spec.Resources;
import io.fiber.spec.Secret;
import io.fiber.spi.backend.JobRejectedException;
import io.fiber.spi.backend.Submission;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is shown before it is started is what is started then. */
@Tag("slow")
class PreviewTest {

    @TempDir
    Path directory;

    static String commandLine() {
        ProcessHandle.Info self = ProcessHandle.current().info();
        return self.command().orElseThrow() + " "
                + String.join(" ", self.arguments().orElseThrow());
    }

    @Test
    void workersAreStartedByTheLineThatWasShown() {
        try (Fiber fiber = LocalFiber.open()) {
            PoolBuilder builder = fiber.poolBuilder(2)
                    .name("Sweep 7")
                    .resources(Resources.cpus(1).withMemory("96m"))
                    .environment(Map.of("GREETING", "it's me"));
            String shown = builder.preview().orElseThrow();

            assertThat(builder.preview()).hasValue(shown);
            assertThat(shown)
                    .startsWith(
                            "# p1-sweep-7-1, p1-sweep-7-2\ncd " + Path.of("").toAbsolutePath() + " && env"
                                    + " FIBER_BOOTSTRAP=stdin 'GREETING=it'\\''s me' ")
                    .contains(" -Xmx96m -XX:ActiveProcessorCount=1 ");
            try (Pool pool = builder.build()) {
                assertThat(shown.replace("'", "")).endsWith(pool.apply(PreviewTest::commandLine) + "\n");
            }
        }
    }

    @Test
    void processIsShownAtAnyTimeAndStartsNothing() {
        try (Fiber fiber = LocalFiber.open()) {
            FiberProcessBuilder process = fiber.processBuilder(() -> {}).resources(Resources.memory("64m"));

            assertThat(process.preview())
                    .hasValueSatisfying(shown -> assertThat(shown)
                            .startsWith("# process-1\n")
                            .contains(" -Xmx64m ")
                            .contains("io.fiber.runtime.worker.main.WorkerMain"));
            assertThat(fiber.activeChildren()).isEmpty();
            assertThat(process.start().join()).isZero();
            assertThat(process.preview()).isPresent();
        }
    }

    @Test
    void whatWouldBeRefusedIsRefused() {
        try (Fiber fiber = LocalFiber.open()) {
            PoolBuilder builder = fiber.poolBuilder(1).resources(Resources.gpus(1_000));

            assertThatThrownBy(builder::preview)
                    .isInstanceOf(FiberException.class)
                    .hasMessageStartingWith("FBR-106 Process 'p1-pool-1-1' needs GPU (gpus=1000)")
                    .hasCauseExactlyInstanceOf(JobRejectedException.class);
        }
    }

    @Test
    void closedSessionShowsNoPool() {
        Fiber fiber = LocalFiber.open();
        PoolBuilder builder = fiber.poolBuilder(1);
        fiber.close();

        assertThatThrownBy(builder::preview)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("FBR-302");
    }

    @Test
    void workerHasNothingToShow() {
        try (Fiber fiber = LocalFiber.open();
                Pool pool = fiber.pool(1)) {
            assertThat(pool.apply(() -> Fiber.current().poolBuilder(1).preview().isPresent()))
                    .isFalse();
        }
    }

    @Test
    void lineOfACommandIsOneThatAShellTakes() {
        try (LocalSession session = new LocalSession(directory)) {
            Submission submission = new Submission(
                    LocalSession.command("/bin/echo", "two words", "", "$HOME", "it's")
                            .workingDirectory(directory)
                            .environment(Map.of("B", "2", "A", "a b"))
                            .build(),
                    List.of(
                            new Submission.Instance("first", Secret.empty()),
                            new Submission.Instance("second", Secret.empty())));

            String shown = session.backend().preview(submission).orElseThrow();

            assertThat(shown)
                    .startsWith("# first, second\ncd " + directory + " && env 'A=a b' B=2 ")
                    .endsWith(" /bin/echo 'two words' '' '$HOME' 'it'\\''s'\n");
            assertThat(session.backend()
                            .preview(Submission.of(
                                    submission.spec(), "first", Secret.of("x".getBytes(StandardCharsets.UTF_8)))))
                    .hasValueSatisfying(other -> assertThat(other).contains(" FIBER_BOOTSTRAP=stdin "));
            assertThat(session.events()).isEmpty();
        }
    }
}
