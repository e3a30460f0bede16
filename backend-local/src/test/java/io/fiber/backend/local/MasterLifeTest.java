// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fiber.tck.fault.Signal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Masters that are killed, stopped or small. */
@Tag("slow")
class MasterLifeTest {

    @TempDir
    Path tmp;

    @Test
    void killedMasterLeavesNoProcessAndNoFile() throws IOException {
        try (MasterJvm master = new MasterJvm(tmp, List.of(), "busy")) {
            List<Long> workers = Stream.of(master.awaitLine("workers").split(" "))
                    .map(Long::valueOf)
                    .toList();
            assertThat(workers).hasSize(2);
            assertThat(LocalFiber.sharedMemoryOf(master.pid())).isNotEmpty();
            List<Long> family = master.process()
                    .toHandle()
                    .descendants()
                    .map(ProcessHandle::pid)
                    .toList();
            assertThat(family).containsAll(workers);

            Signal.KILL.send(master.pid());

            await("processes gone")
                    .atMost(LocalFiber.LIMIT)
                    .until(() -> family.stream()
                            .noneMatch(pid -> ProcessHandle.of(pid)
                                    .filter(process -> Signal.isRunning(process.pid()))
                                    .isPresent()));
            await("shared memory gone")
                    .atMost(LocalFiber.LIMIT)
                    .until(() -> LocalFiber.sharedMemoryOf(master.pid()).isEmpty());
            await("files gone")
                    .atMost(LocalFiber.LIMIT)
                    .ignoreExceptionsInstanceOf(UncheckedIOException.class)
                    .until(() -> sessionFiles().isEmpty());
        }
    }

    /** Those who wait for the reaper look at the same directory. */
    private List<Path> sessionFiles() throws IOException {
        try (Stream<Path> files = Files.walk(tmp, 3)) {
            return files.filter(file -> file.getNameCount() - tmp.getNameCount() == 2 || Files.isRegularFile(file))
                    .toList();
        }
    }

    /** As by a debugger: nobody was silent, the master was deaf. */
    @Test
    void stoppedMasterLosesNoWorker() {
        try (MasterJvm master = new MasterJvm(tmp, List.of(), "slow", "1000")) {
            master.awaitLine("begins");

            Signal.STOP.send(master.pid());
            letPass(Duration.ofSeconds(15));
            Signal.CONTINUE.send(master.pid());

            assertThat(master.awaitLine("lost")).isEqualTo("0");
            assertThat(master.awaitLine("started")).isEqualTo("2");
            master.awaitEnd();
        }
    }

    private static void letPass(Duration time) {
        long endNs = System.nanoTime() + time.toNanos();
        await("a stop")
                .atMost(time.plusSeconds(5))
                .pollInterval(Duration.ofMillis(200))
                .until(() -> System.nanoTime() >= endNs);
    }

    @Test
    @Tag("soak")
    void poolWorksAfterThreeIdleMinutesWithTheSameWorkers() {
        try (MasterJvm master = new MasterJvm(tmp, List.of(), "idle", "PT3M")) {

            assertThat(master.awaitLine("lost")).isEqualTo("0");
            master.awaitEnd();
        }
    }

    @Test
    @Tag("soak")
    void tenMillionItemsNeedASmallMaster() {
        try (MasterJvm master = new MasterJvm(tmp, List.of("-Xmx64m"), "range", "10000000")) {
            assertThat(master.awaitLine("sum")).isEqualTo(Long.toString(3L * 10_000_000 * 9_999_999 / 2));
            master.awaitEnd();
        }
    }

    @Test
    @Tag("soak")
    void endlessInputNeedsASmallMaster() {
        try (MasterJvm master = new MasterJvm(tmp, List.of("-Xmx64m"), "endless", "20000")) {
            assertThat(master.awaitLine("taken")).isEqualTo("20000");
            master.awaitEnd();
        }
    }

    @Test
    @Tag("soak")
    void sessionsThatCloseLeakNothing() {
        try (MasterJvm master = new MasterJvm(tmp, List.of("-Xmx64m"), "cycles", "200")) {
            String before = master.awaitLine("before");
            String after = master.awaitLine("after");
            master.awaitEnd();

            assertThat(after).endsWith(MasterPrograms.NOTHING_HELD);
            assertThat(fds(after)).isLessThanOrEqualTo(fds(before) + 2);
            assertThat(LocalFiber.sharedMemoryOf(master.pid())).isEmpty();
        }
    }

    private static int fds(String held) {
        return Integer.parseInt(held.split(" ", -1)[1]);
    }

    @Test
    @Tag("soak")
    void argumentAndResultOfTwoHundredMegabytesArriveWhole() {
        try (MasterJvm master = new MasterJvm(tmp, List.of("-Xmx3g", "-Dfiber.worker.jvm-options=-Xmx3g"), "large")) {
            master.awaitLine("argument");
            master.awaitLine("result");
            master.awaitEnd();
        }
    }

    @Test
    @Tag("soak")
    void threeGigabytesAreRefusedWithTheLimit() {
        try (MasterJvm master =
                new MasterJvm(tmp, List.of("-Xmx8g", "-Dfiber.worker.jvm-options=-Xmx8g"), "tooLarge")) {
            assertThat(master.awaitLine("argument")).startsWith("FBR-205 ").contains("2 GiB");
            assertThat(master.awaitLine("result")).contains("FBR-205 ").contains("2 GiB");
            master.awaitLine("works");
            master.awaitEnd();
        }
    }
}
