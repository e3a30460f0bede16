// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.fiber.Fiber;
import io.fiber.Pool;
import io.fiber.PoolBrokenException;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What workers start from: Maven's class path, which begins with a directory, as that of an IDE does. */
@Tag("slow")
class WorkerStartTest {

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

    @Test
    void poolWhoseWorkersHaveOtherFramesEndsAsWhenTheyDoNotStart() {
        Interceptor interceptor = new Interceptor().framing(length -> length / 2);
        try (Fiber fiber = LocalFiber.builder(interceptor)
                        .set("aeron.term-length", "64k")
                        .open();
                Pool pool = fiber.pool(1)) {
            PoolBrokenException broken =
                    catchThrowableOfType(PoolBrokenException.class, () -> pool.map(x -> x, LocalFiber.numbers(1_000)));

            assertThat(broken)
                    .hasMessageContaining("3 workers in a row failed to start; the last one, ")
                    .hasMessageContaining("exit code 76")
                    .hasMessageContaining("FBR-316 This worker has another build of Fiber than its master: its"
                            + " transport 'aeron' has frames of up to 8160 bytes, and that of the master has frames of"
                            + " up to 4080. The worker ends.");
            assertThat(interceptor.bootstraps()).hasSize(3);
        }
    }

    /** The session ends before a longer one has its archive made. On a busy machine it does not wait for the end of that. */
    @Test
    void programOfAMomentHasAnArchiveWhenItIsRunAgain() throws Exception {
        Path archives = Files.createDirectory(
                tmp.resolve("cds"), PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));

        assertThat(isArchiveUsed(archives)).isFalse();
        String made = String.join(" ", requireNonNull(archives.toFile().list()));
        assertThat(made).matches("\\w+\\.failed|\\w+\\.(jsa|txt) \\w+\\.(jsa|txt)");
        assertThat(isArchiveUsed(archives)).isEqualTo(made.contains(".jsa"));
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

    private static List<String> classPath() {
        return List.of(System.getProperty("java.class.path").split(File.pathSeparator));
    }
}
