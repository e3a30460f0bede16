// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static org.awaitility.Awaitility.await;

import io.fiber.Fiber;
import io.fiber.FiberBuilder;
import io.fiber.spi.backend.BackendProvider;
import io.fiber.tck.fault.Signal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** Sessions whose workers are child processes of the tests, and what tasks of the tests do there. */
final class LocalFiber {

    /** Against hangs; less than a test may take, so that its failure says what was missing. */
    static final Duration LIMIT = Duration.ofMinutes(2);

    private LocalFiber() {}

    static Fiber open() {
        return builder().open();
    }

    /** Returns a builder of a session over Aeron that leaves nothing behind in the user's caches. */
    static FiberBuilder builder() {
        return builder("aeron");
    }

    /** Returns such a builder for a transport. */
    static FiberBuilder builder(String transport) {
        return Fiber.builder().backend("local").transport(transport).set("cds.directory", WorkerArchive.DIRECTORY);
    }

    /** Returns such a builder for a backend of a test. */
    static FiberBuilder builder(BackendProvider backend) {
        return Fiber.builder().backend(backend).transport("aeron").set("cds.directory", WorkerArchive.DIRECTORY);
    }

    static long pid() {
        return ProcessHandle.current().pid();
    }

    /** Notes in a file that a task has begun. */
    static void note(String file, Object what) {
        try {
            Files.writeString(
                    Path.of(file), what + System.lineSeparator(), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static List<String> notes(Path file) {
        try {
            return Files.exists(file) ? Files.readAllLines(file) : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void awaitNotes(Path file, int count) {
        await(count + " notes in " + file).atMost(LIMIT).until(() -> notes(file).size() >= count);
    }

    /** Waits for a process that has noted its number and lives, and returns the one that has noted it last. */
    static long awaitLivingPid(Path file) {
        return await("a process noted in " + file + " that lives")
                .atMost(LIMIT)
                .until(() -> lastLivingPid(file), Optional::isPresent)
                .orElseThrow();
    }

    private static Optional<Long> lastLivingPid(Path file) {
        return notes(file).stream().map(Long::valueOf).filter(Signal::isRunning).reduce((earlier, later) -> later);
    }

    /** Keeps a task running; a spurious wake-up does not end it, an interrupt does. */
    static void last(Duration time) throws InterruptedException {
        long endNs = System.nanoTime() + time.toNanos();
        for (long leftNs = time.toNanos(); leftNs > 0; leftNs = endNs - System.nanoTime()) {
            LockSupport.parkNanos(leftNs);
            if (Thread.interrupted()) {
                throw new InterruptedException("a task was interrupted");
            }
        }
    }

    static List<Integer> numbers(int count) {
        List<Integer> numbers = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            numbers.add(i);
        }
        return numbers;
    }

    /** Returns the directories in shared memory of the sessions of a process. */
    static List<Path> sharedMemoryOf(long pid) {
        return sharedMemoryOf(String.valueOf(pid));
    }

    /** Returns those whose names have this part, such as a session and the process that has opened it. */
    static List<Path> sharedMemoryOf(String part) {
        try (Stream<Path> entries = Files.list(Path.of("/dev/shm"))) {
            return entries.filter(entry -> {
                        String name = entry.getFileName().toString();
                        return name.startsWith("fiber-") && (name + "-").contains("-" + part + "-");
                    })
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
