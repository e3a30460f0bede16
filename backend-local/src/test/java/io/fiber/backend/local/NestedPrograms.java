// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;

/** What tests of workers that start processes of their own have in common; much of it runs in the workers. */
final class NestedPrograms {

    private static final Path SHARED_MEMORY = Path.of("/dev/shm");

    private NestedPrograms() {}

    /** Directories of media drivers end in the number of their process. */
    static void assertNothingIsLeftOf(long pid) {
        await("directories of " + pid + " in " + SHARED_MEMORY)
                .atMost(LocalFiber.LIMIT)
                .untilAsserted(() -> {
                    try (Stream<Path> entries = Files.list(SHARED_MEMORY)) {
                        assertThat(entries.filter(entry -> entry.getFileName()
                                        .toString()
                                        .matches("fiber-.*-[a-z0-9]{12}-" + pid + "(-[0-9]+)?")))
                                .isEmpty();
                    }
                });
    }

    static void write(String file, Object text) {
        try {
            Path unfinished = Path.of(file + ".new");
            Files.writeString(unfinished, text.toString(), StandardOpenOption.CREATE);
            Files.move(unfinished, Path.of(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void forever() throws InterruptedException {
        new CountDownLatch(1).await();
    }

    static void assertGone(long pid) {
        LocalSession.assertGone(pid);
        assertNothingIsLeftOf(pid);
    }

    static String read(Path file) {
        await("the file " + file).atMost(LocalFiber.LIMIT).until(() -> Files.exists(file));
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
