// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.Fiber;
import io.fiber.FiberProcess;
import io.fiber.Pool;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The settings of workers are those of their master, also of workers that a worker has started. */
@Tag("slow")
class WorkerConfigTest {

    private static final String ORIGIN = " (from ";

    @TempDir
    Path directory;

    private static Fiber open() {
        return LocalFiber.builder()
                .set("fiber.lease", "25s")
                .set("max-reruns", "1")
                .set("shutdown-grace", "3s")
                .set("aeron.term-length", "128k")
                .set("worker.jvm-options", "-Dtoken=s3cret")
                .open();
    }

    /** Returns the settings of a description, without where they came from and without what was counted. */
    private static Map<String, String> settings(String description) {
        Map<String, String> settings = new TreeMap<>();
        description
                .lines()
                .filter(line -> line.startsWith("fiber."))
                .map(line -> line.contains(ORIGIN) ? line.substring(0, line.indexOf(ORIGIN)) : line)
                .map(line -> line.split(" = ", 2))
                .forEach(parts -> settings.put(parts[0], parts[1]));
        return settings;
    }

    @Test
    void workerHasTheSettingsOfItsMasterAndSoHaveItsOwnWorkers() {
        try (Fiber fiber = open();
                Pool pool = fiber.pool(1)) {
            Map<String, String> own = settings(fiber.describe());

            String inWorker = pool.apply(() -> Fiber.current().describe());
            String inWorkersWorker = pool.apply(() -> {
                try (Pool nested = Fiber.current().pool(1)) {
                    return nested.apply(() -> Fiber.current().describe());
                }
            });

            assertThat(own)
                    .containsEntry("fiber.lease", "25s")
                    .containsEntry("fiber.max-reruns", "1")
                    .containsEntry("fiber.aeron.term-length", "128k");
            assertThat(settings(inWorker)).isEqualTo(own);
            assertThat(settings(inWorkersWorker)).isEqualTo(own);
            assertThat(inWorker)
                    .contains("fiber.lease = 25s (from the master of this worker)\n")
                    .contains("fiber.start-limit = 60s (from the default)\n");
        }
    }

    @Test
    void descriptionMasksWhatMayBeASecretInTheMasterAndInItsWorkers() {
        try (Fiber fiber = open();
                Pool pool = fiber.pool(1)) {
            String inWorker = pool.apply(() -> Fiber.current().describe());

            assertThat(fiber.describe())
                    .contains("fiber.worker.jvm-options = *** (from the program's code)\n")
                    .doesNotContain("s3cret");
            assertThat(inWorker)
                    .contains("fiber.worker.jvm-options = *** (from the master of this worker)\n")
                    .doesNotContain("s3cret");
        }
    }

    @Test
    void workerReadsNeitherItsEnvironmentNorPropertiesNorItsWorkingDirectory() throws Exception {
        Path answer = directory.resolve("answer");
        String file = answer.toString();
        try (Fiber fiber = LocalFiber.builder()
                .set("max-reruns", "1")
                .set("worker.jvm-options", "-Dfiber.retries=7,-Duser.dir=" + directory)
                .open()) {
            Files.writeString(directory.resolve(".fiberconfig"), "max-reruns = 8\n");
            FiberProcess process = fiber.processBuilder(() ->
                            Files.writeString(Path.of(file), Fiber.current().describe()))
                    .environment(Map.of("FIBER_MAX_RERUNS", "9", "FIBER_LESE", "3"))
                    .start();

            assertThat(process.join()).isZero();
            assertThat(answer).content().contains("fiber.max-reruns = 1 (from the master of this worker)\n");
        }
    }

    @Test
    void descriptionNamesTheProvidersThatWereChosenByRule() {
        try (Fiber fiber =
                Fiber.builder().set("cds", "false").set("backend", "local").open()) {
            assertThat(fiber.describe())
                    .contains("fiber.backend = local (from the program's code)\n")
                    .contains("fiber.transport = aeron (not set: `aeron` if it is on the class path; otherwise the only"
                            + " one there, which is `socket`)\n")
                    .contains("fiber.serializer = java (not set: ");
        }
    }
}
