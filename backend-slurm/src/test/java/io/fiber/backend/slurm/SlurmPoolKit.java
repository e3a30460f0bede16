// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.Fiber;
import io.fiber.Pool;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program of a user on a real cluster. {@link SlurmClusterTest} runs it as the user of a cluster. */
class SlurmPoolKit {

    @TempDir
    Path directory;

    static String host(int number) {
        return number + " " + ProcessHandle.current().pid();
    }

    @Test
    void poolMapsOnTheClusterAndLeavesNothing() {
        try (Fiber fiber = Fiber.builder()
                        .backend("slurm")
                        .transport("aeron")
                        .set("fiber.cds", "false")
                        .set(
                                "fiber.slurm.directory",
                                directory.resolve("shared").toString())
                        .set("fiber.slurm.memory", "256m")
                        .open();
                Pool pool = fiber.pool(4)) {
            List<String> hosts = pool.map(SlurmPoolKit::host, IntStream.range(0, 1000));
            assertThat(hosts).hasSize(1000);
            assertThat(hosts.get(999))
                    .startsWith("999 ")
                    .doesNotEndWith(" " + ProcessHandle.current().pid());
        }
        assertThat(directory.resolve("shared")).isEmptyDirectory();
    }
}
