// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static org.awaitility.Awaitility.await;

import io.fiber.Fiber;
import io.fiber.Pool;
import java.io.File;
import java.lang.management.ManagementFactory;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The class-data archives that workers of the tests start from, as those of programs do: kept beside the compiled tests, not
 * in the user's caches.
 */
final class WorkerArchive {

    /** With this in its master, as Maven starts it, a worker is given more options and needs an archive for them. */
    private static final List<String> OPTIONS_OF_MAVEN =
            List.of("--add-exports", "java.base/jdk.internal.misc=ALL-UNNAMED");

    private static final Duration LIMIT = Duration.ofMinutes(2);

    /** The directory of the archives, for the setting {@code cds.directory}. */
    static final String DIRECTORY = ready().toString();

    private WorkerArchive() {}

    /** Has archives made where there are none: a session of a test is shorter than the making of one. */
    private static Path ready() {
        if (putJarsFirst() && Files.isRegularFile(sourceOf(Fiber.class))) {
            awaitIn(List.of());
            awaitIn(OPTIONS_OF_MAVEN);
        }
        return sourceOf(WorkerArchive.class).resolveSibling("cds");
    }

    /**
     * An archive holds what stands in front of the first directory, and Maven puts directories first. Programs that tests start
     * take the class path over as it is then. Tells whether it was changed.
     */
    private static boolean putJarsFirst() {
        List<String> jars = new ArrayList<>();
        List<String> directories = new ArrayList<>();
        String before = System.getProperty("java.class.path");
        for (String entry : before.split(File.pathSeparator, -1)) {
            (new File(entry).isFile() ? jars : directories).add(entry);
        }
        jars.addAll(directories);
        String after = String.join(File.pathSeparator, jars);
        System.setProperty("java.class.path", after);
        return !after.equals(before);
    }

    private static Path sourceOf(Class<?> type) {
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

    /** A session that lasts until a worker of it starts from an archive. */
    public static void main(String[] args) {
        try (Fiber fiber = LocalFiber.open()) {
            await("a worker that starts from an archive")
                    .atMost(LIMIT)
                    .pollInterval(Duration.ofSeconds(1))
                    .pollDelay(Duration.ZERO)
                    .until(() -> {
                        try (Pool pool = fiber.pool(1)) {
                            return pool.apply(WorkerArchive::isUsed);
                        }
                    });
        }
    }

    private static boolean isUsed() {
        return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .anyMatch(option -> option.startsWith("-XX:SharedArchiveFile="));
    }
}
