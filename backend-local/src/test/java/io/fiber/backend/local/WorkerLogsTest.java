// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fiber.Fiber;
import io.fiber.FiberBuilder;
import io.fiber.Pool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What workers log and print, where it goes, and how it is read back. */
@Tag("slow")
class WorkerLogsTest {

    private static final String FIRST = "p1-sums-1";
    private static final String SECOND = "p1-sums-2";

    @TempDir
    Path directory;

    private FiberBuilder logging(String level) {
        return LocalFiber.builder()
                .set("output", "none")
                .set("log-level", level)
                .set("log-file", directory + "/%n.log");
    }

    private static Pool pool(Fiber fiber) {
        Pool pool = fiber.poolBuilder(2).name("sums").start();
        pool.awaitReady();
        return pool;
    }

    private static int chatter(int number) {
        System.out.println("user prints " + number);
        System.getLogger("io.fiber.a.provider").log(System.Logger.Level.DEBUG, "a provider says " + number);
        return number;
    }

    private String file(String process) {
        Path path = directory.resolve(process + ".log");
        try {
            return Files.exists(path) ? Files.readString(path) : "";
        } catch (IOException e) {
            return "";
        }
    }

    /** Returns what the workers have written, as far as it has come. */
    private static List<String> lines(Pool pool) {
        return pool.logs(100).values().stream().flatMap(List::stream).toList();
    }

    @Test
    void everyProcessWritesItsOwnRecordsIntoAFileOfItsOwn() {
        try (Fiber fiber = logging("debug").open();
                Pool pool = pool(fiber)) {
            pool.map(WorkerLogsTest::chatter, List.of(1, 2, 3, 4));

            assertThat(file(FIRST))
                    .contains(FIRST + "(")
                    .contains("accepted as worker")
                    .doesNotContain(SECOND);
            assertThat(file(SECOND))
                    .contains(SECOND + "(")
                    .contains("accepted as worker")
                    .doesNotContain(FIRST);
            assertThat(file(FIRST) + file(SECOND))
                    .contains("io.fiber.a.provider - a provider says 1")
                    .doesNotContain("user prints");
            assertThat(file("main")).contains(" main(").contains("opens with").doesNotContain("accepted as worker");
            await().atMost(LocalFiber.LIMIT)
                    .untilAsserted(() -> assertThat(lines(pool)).contains("user prints 1", "user prints 4"));
            assertThat(lines(pool)).noneMatch(line -> line.contains("accepted as worker"));
        }
    }

    @Test
    void levelOfWorkersFollowsTheConfiguration() {
        try (Fiber fiber = logging("info").open();
                Pool pool = pool(fiber)) {
            pool.map(WorkerLogsTest::chatter, List.of(1, 2));

            assertThat(file(FIRST) + file(SECOND) + file("main")).isEmpty();
        }
    }

    @Test
    void workerWithoutALogFileWritesItsRecordsToStandardError() {
        try (Fiber fiber = LocalFiber.builder()
                        .set("output", "none")
                        .set("log-level", "debug")
                        .open();
                Pool pool = pool(fiber)) {
            pool.map(WorkerLogsTest::chatter, List.of(1, 2));

            await().atMost(LocalFiber.LIMIT)
                    .untilAsserted(() -> assertThat(pool.logs(100))
                            .containsOnlyKeys(FIRST, SECOND)
                            .allSatisfy((worker, lines) -> assertThat(lines)
                                    .anyMatch(line -> line.startsWith("fiber: " + worker + ": accepted as worker"))));
            await().atMost(LocalFiber.LIMIT)
                    .untilAsserted(
                            () -> assertThat(lines(pool)).anyMatch(line -> line.endsWith(": a provider says 2")));
        }
    }

    @Test
    void recordsGoToTheLoggingThatTheUserHasConfiguredForWorkers() throws IOException {
        Path settings = directory.resolve("logging.properties");
        Files.writeString(settings, """
                handlers = java.util.logging.ConsoleHandler
                .level = ALL
                java.util.logging.ConsoleHandler.level = ALL
                java.util.logging.SimpleFormatter.format = MINE %5$s%n
                """);
        try (Fiber fiber = LocalFiber.builder()
                        .set("output", "none")
                        .set("log-level", "debug")
                        .set("worker.jvm-options", "-Djava.util.logging.config.file=" + settings)
                        .open();
                Pool pool = pool(fiber)) {
            await().atMost(LocalFiber.LIMIT)
                    .untilAsserted(() -> assertThat(pool.logs(100).get(FIRST))
                            .anyMatch(line -> line.startsWith("MINE accepted as worker")));
        }
    }

    @Test
    void fullDiskForLogsKillsNoWorker() throws IOException {
        for (String name : List.of(FIRST, SECOND)) {
            Files.createSymbolicLink(directory.resolve(name + ".log"), Path.of("/dev/full"));
        }
        try (Fiber fiber = logging("trace").open();
                Pool pool = pool(fiber)) {
            assertThat(pool.map(WorkerLogsTest::chatter, LocalFiber.numbers(100)))
                    .isEqualTo(LocalFiber.numbers(100));

            await().atMost(LocalFiber.LIMIT)
                    .untilAsserted(() -> assertThat(pool.logs(100).get(FIRST))
                            .filteredOn(line -> line.startsWith("fiber: the log file"))
                            .singleElement()
                            .asString()
                            .contains("cannot be written", "the program continues"));
            assertThat(pool.statistics().workersLost()).isZero();
        }
    }

    @Test
    void fullDiskForOutputKillsNoWorker() throws IOException {
        for (String name : List.of(FIRST, SECOND)) {
            Files.createSymbolicLink(directory.resolve(name + ".log"), Path.of("/dev/full"));
        }
        try (Fiber fiber = LocalFiber.builder()
                        .set("output", "files")
                        .set("log-directory", directory.toString())
                        .open();
                Pool pool = pool(fiber)) {
            assertThat(pool.map(WorkerLogsTest::chatter, LocalFiber.numbers(100)))
                    .isEqualTo(LocalFiber.numbers(100));
            assertThat(pool.statistics().workersLost()).isZero();
        }
    }

    @Test
    void logsOfAPoolKeepWhatALostWorkerWroteLast() {
        try (Fiber fiber = LocalFiber.builder().set("output", "none").open();
                Pool pool = fiber.poolBuilder(1).name("sums").start()) {
            pool.apply(WorkerLogsTest::chatter, 1);
            assertThatThrownBy(() -> pool.with(io.fiber.CallOptions.defaults().maxReruns(0))
                            .apply(() -> {
                                System.out.println("last words");
                                System.exit(3);
                                return 0;
                            }))
                    .hasMessageContaining("last words");
            pool.apply(WorkerLogsTest::chatter, 2);

            // What a worker that lives has printed may come after its result.
            await("the output of the second worker")
                    .atMost(LocalFiber.LIMIT)
                    .until(() -> pool.logs(10).get(SECOND), List.of("user prints 2")::equals);
            Map<String, List<String>> logs = pool.logs(10);

            assertThat(logs).hasSize(2);
            assertThat(logs.get(FIRST)).containsExactly("user prints 1", "last words");
            assertThat(pool.logs(1).get(FIRST)).containsExactly("last words");
            assertThatThrownBy(() -> pool.logs(0)).hasMessage("FBR-305 lastLines is 0; expected at least 1.");
        }
    }
}
