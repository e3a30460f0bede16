// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunsTest {

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path directory;

    private static Run run(int restarts) {
        return new Run(
                "k3f",
                "local",
                "s",
                "java my.Sweep",
                Run.Keeper.PLATFORM,
                Instant.EPOCH,
                new Run.State("17", "exit code 75", restarts, OptionalInt.of(75)),
                Map.of("image", "jre"));
    }

    @Test
    void recordIsReadAsItWasWritten() {
        Runs runs = new Runs(directory);
        runs.write(run(3));

        assertThat(runs.read("k3f")).contains(run(3));
    }

    @Test
    void recordOfAnEarlierVersionHasNoRestarts() throws Exception {
        Runs runs = new Runs(directory);
        runs.write(run(3));
        Path record = directory.resolve("k3f/run.properties");
        List<String> earlier = Files.readAllLines(record).stream()
                .filter(line -> !line.startsWith("restarts="))
                .toList();
        Files.write(record, earlier);

        assertThat(runs.read("k3f")).contains(run(0));
    }
}
