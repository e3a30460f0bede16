// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.fiber.Fiber;
import io.fiber.Pool;
import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What workers start from: Maven's class path, which begins with a directory, as that of an IDE does. */
class WorkerStartTest {

    private static final Duration LIMIT = Duration.ofMinutes(2);

    @TempDir
    Path tmp;

    /** {@code mvn test} has directories in their place. */
    @BeforeEach
    void jarsAreThere() {
        assumeThat(WorkerArchive.sourceOf(Fiber.class)).isRegularFile();
    }

    @Test
    void jarsOfFiberStandInFrontOfTheProgramsClassPath() {
        List<String> own = classPath();
        assertThat(new File(own.get(0))).isDirectory();

        List<String> workers;
        try (Fiber fiber = LocalFiber.open();
                Pool pool = fiber.pool(1)) {
            workers = pool.apply(WorkerStartTest::classPath);
        }

        List<String> front = workers.subList(0, workers.indexOf(own.get(0)));
        assertThat(front)
                .extracting(entry -> new File(entry).getName().replaceAll("-[0-9].*", ""))
                .containsExactlyInAnyOrder(
                        "fiber-api",
                        "fiber-spi",
                        "fiber-runtime",
                        "fiber-transport-aeron",
                        "agrona",
                        "aeron-client",
                        "aeron-driver");
        List<String> others = new ArrayList<>(own);
        others.removeAll(front);
        assertThat(workers.subList(front.size(), workers.size())).isEqualTo(others);
    }

    /** Sessions end before the moment at which longer ones have their archive made. On a busy machine one gives up after 10 s. */
    @Test
    void programOfAMomentHasAnArchiveWhenItIsRunAgain() throws Exception {
        Path archives = Files.createDirectory(
                tmp.resolve("cds"), PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));

        assertThat(isArchiveUsed(archives)).isFalse();
        await().pollInSameThread().atMost(LIMIT).until(() -> {
            deleteFailures(archives);
            return isArchiveUsed(archives);
        });
    }

    private static boolean isArchiveUsed(Path archives) {
        try (Fiber fiber = Fiber.builder()
                        .backend("local")
                        .set("cds.directory", archives.toString())
                        .open();
                Pool pool = fiber.pool(1)) {
            return pool.apply(WorkerArchive::isUsed);
        }
    }

    private static void deleteFailures(Path archives) throws IOException {
        try (DirectoryStream<Path> failures = Files.newDirectoryStream(archives, "*.failed")) {
            for (Path failure : failures) {
                Files.delete(failure);
            }
        }
    }

    private static List<String> classPath() {
        return List.of(System.getProperty("java.class.path").split(File.pathSeparator));
    }
}
