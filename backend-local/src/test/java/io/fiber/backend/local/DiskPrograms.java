// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static org.awaitility.Awaitility.await;

import io.fiber.Fiber;
import io.fiber.FiberException;
import io.fiber.Pool;
import io.fiber.tck.fault.SmallDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Masters with small disks, which are filled up. They run in a sandbox. */
final class DiskPrograms {

    private static final Path SHARED_MEMORY = Path.of("/dev/shm");
    private static final Path TMP = Path.of(System.getProperty("java.io.tmpdir"));
    private static final System.Logger LOG = System.getLogger("io.fiber.disk");

    private DiskPrograms() {}

    public static void main(String[] args) throws Exception {
        switch (args[0]) {
            case "logs" -> logs();
            case "nothing" -> nothing();
            case "shared" -> shared();
            case "middle" -> middle();
            default -> throw new IllegalArgumentException(args[0]);
        }
    }

    private static int talk(int item) {
        LOG.log(System.Logger.Level.DEBUG, "item " + item + " " + "x".repeat(1000));
        return item;
    }

    private static void logs() throws Exception {
        Path directory = Files.createDirectory(TMP.resolve("logs"));
        try (SmallDisk disk = SmallDisk.at(directory, 1 << 20);
                Fiber fiber = LocalFiber.builder()
                        .set("log-file", directory.resolve("%n.log").toString())
                        .set("log-level", "trace")
                        .open();
                Pool pool = fiber.pool(2)) {
            pool.awaitReady();
            tell("before", pool.map(DiskPrograms::talk, LocalFiber.numbers(20)));
            disk.fill();
            tell("full", pool.map(DiskPrograms::talk, LocalFiber.numbers(200)));
            await().atMost(LocalFiber.LIMIT).until(() -> !complaints(pool).isEmpty());
            disk.clear();
            await().atMost(LocalFiber.LIMIT).until(() -> {
                pool.map(DiskPrograms::talk, LocalFiber.numbers(20));
                return files(directory).contains("records could not be written here");
            });
            System.out.println("said " + Collections.max(complaints(pool).values()));
            System.out.println("lost " + pool.statistics().workersLost());
        }
    }

    /** Returns how often each worker has said that its log cannot be written. */
    private static Map<String, Long> complaints(Pool pool) {
        return pool.logs(1000).entrySet().stream()
                .flatMap(entry -> entry.getValue().stream()
                        .filter(line -> line.contains("cannot be written"))
                        .map(line -> entry.getKey()))
                .collect(Collectors.groupingBy(worker -> worker, Collectors.counting()));
    }

    private static String files(Path directory) throws IOException {
        StringBuilder all = new StringBuilder();
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                all.append(Files.readString(file));
            }
        }
        return all.toString();
    }

    private static void tell(String when, List<Integer> results) {
        System.out.println(when + " " + results.equals(LocalFiber.numbers(results.size())));
    }

    /** Neither shared memory nor the directory of the session has room. */
    private static void nothing() {
        SmallDisk.at(SHARED_MEMORY, 4 << 20);
        SmallDisk.at(TMP, 4 << 20);
        try (Fiber fiber = LocalFiber.open();
                Pool pool = fiber.pool(2)) {
            System.out.println("refused " + pool.map(x -> x, List.of(1)));
        } catch (FiberException e) {
            System.out.println("refused " + e.getMessage());
            System.out.println("cause " + e.getCause());
        }
    }

    /** Shared memory has no room, and the directory of the session has. */
    private static void shared() {
        SmallDisk.at(SHARED_MEMORY, 4 << 20);
        try (Fiber fiber = LocalFiber.open();
                Pool pool = fiber.pool(2)) {
            tell("exact", pool.map(x -> x, LocalFiber.numbers(1000)));
            System.out.println("lost " + pool.statistics().workersLost());
        }
    }

    /** The links of two workers fill half of shared memory, and somebody takes the rest while they work. */
    private static void middle() throws Exception {
        SmallDisk.at(TMP, 64 << 20);
        try (SmallDisk disk = SmallDisk.at(SHARED_MEMORY, 64 << 20);
                Fiber fiber = LocalFiber.open();
                Pool pool = fiber.pool(2)) {
            pool.awaitReady();
            System.out.println("shared " + (disk.freeBytes() < 64 << 20));
            CompletableFuture<List<Integer>> results = slowly(pool, 400);
            disk.fill();
            tell("full", results.get());
            System.out.println("large " + pool.map(bytes -> bytes.length, List.of(new byte[3 << 20])));
            pool.resize(3);
            tell("without", slowly(pool, 400).get());
            System.out.println("free " + disk.freeBytes());
            System.out.println("started " + pool.statistics().workersStarted());
            disk.clear();
            pool.awaitReady();
            tell("more", slowly(pool, 100).get());
            System.out.println("started " + pool.statistics().workersStarted());
            System.out.println("lost " + pool.statistics().workersLost());
        }
    }

    private static CompletableFuture<List<Integer>> slowly(Pool pool, int items) {
        return pool.mapAsync(
                item -> {
                    LocalFiber.last(Duration.ofMillis(5));
                    return item;
                },
                LocalFiber.numbers(items));
    }
}
