// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.awaitility.Awaitility.await;

import io.fiber.Fiber;
import io.fiber.Pool;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.URISyntaxException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The class-data archives that workers of the tests start from, as those of programs do: kept beside the compiled tests, not
 * in the user's caches.
 */
final class WorkerArchive {

    /** With this in its master, as Maven starts it, a worker is given more options and needs an archive for them. */
    private static final List<String> OPTIONS_OF_MAVEN =
            List.of("--add-exports", "java.base/jdk.internal.misc=ALL-UNNAMED");

    /** The directory of the archives, for the setting {@code cds.directory}. */
    static final String DIRECTORY = ready().toString();

    private WorkerArchive() {}

    /** Has archives made where there are none: a session of a test is shorter than the making of one. */
    private static Path ready() {
        Path directory = sourceOf(WorkerArchive.class).resolveSibling("cds");
        if (isMavens() && Files.isRegularFile(sourceOf(Fiber.class))) {
            // Of the JVMs that run tests at one time the first makes what all use.
            try (FileChannel turn = FileChannel.open(directory.resolveSibling("cds.lock"), CREATE, WRITE)) {
                if (turn.tryLock() == null) {
                    turn.lock();
                } else {
                    awaitIn(List.of());
                    awaitIn(OPTIONS_OF_MAVEN);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return directory;
    }

    /** Else it is one that tests have started. */
    private static boolean isMavens() {
        return System.getProperty("surefire.real.class.path") != null;
    }

    /** Returns the jar or the directory that a class is from. */
    static Path sourceOf(Class<?> type) {
        try {
            return Path.of(
                    type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void awaitIn(List<String> jvmOptions) {
        Path tmp = Path.of(System.getProperty("java.io.tmpdir"));
        try (MasterJvm maker = new MasterJvm(tmp, WorkerArchive.class, jvmOptions)) {
            maker.awaitEnd();
        }
    }

    /** A session whose worker starts from an archive, or that lasts until there is one more. */
    public static void main(String[] args) {
        Path directory = Path.of(DIRECTORY);
        Set<Path> before = archivesIn(directory);
        try (Fiber fiber = LocalFiber.open();
                Pool pool = fiber.pool(1)) {
            if (!pool.apply(WorkerArchive::isUsed)) {
                await("an archive in " + directory)
                        .atMost(LocalFiber.LIMIT)
                        // Of many archives, the oldest goes when a new one comes.
                        .until(() -> !before.containsAll(archivesIn(directory)));
            }
        }
    }

    private static Set<Path> archivesIn(Path directory) {
        if (!Files.isDirectory(directory)) {
            return Set.of();
        }
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(".jsa")).collect(Collectors.toSet());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Tells whether this JVM was told to start from an archive. */
    static boolean isUsed() {
        return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .anyMatch(option -> option.startsWith("-XX:SharedArchiveFile="));
    }
}
