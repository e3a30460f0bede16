// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Arrays and queues while workers are killed at random moments. */
@Tag("slow")
class DataUnderKillsTest {

    @TempDir
    Path tmp;

    @ParameterizedTest
    @ValueSource(strings = {"socket", "aeron"})
    void someKillsLoseNothingWithHeapsOf64Megabytes(String transport) throws IOException {
        underKills(transport, 64, 4 << 20, 5, 0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"socket", "aeron"})
    @Tag("soak")
    @Timeout(value = 30, unit = TimeUnit.MINUTES)
    void tenMinutesOfKillsLoseNothingWithHeapsOf64Megabytes(String transport) throws IOException {
        underKills(transport, 64, 4 << 20, 100, 600);
    }

    @Test
    @Tag("soak")
    @Timeout(value = 30, unit = TimeUnit.MINUTES)
    void tenMinutesOfKillsLoseNothingWithArraysOfUpTo64Megabytes() throws IOException {
        underKills("socket", 700, 64 << 20, 100, 600);
    }

    private void underKills(String transport, int heapMegabytes, int greatestBytes, int kills, int seconds)
            throws IOException {
        Path workers = Files.createDirectory(tmp.resolve("workers"));
        List<String> options = List.of(
                "-Xmx" + heapMegabytes + "m", "-Dfiber.worker.jvm-options=-XX:+UseSerialGC,-Xmx" + heapMegabytes + "m");
        try (MasterJvm master = new MasterJvm(
                tmp,
                DataUnderKillsPrograms.class,
                options,
                transport,
                Integer.toString(greatestBytes),
                Integer.toString(kills),
                Integer.toString(seconds),
                workers.toString())) {
            assertThat(Integer.parseInt(master.awaitLine("kills"))).isGreaterThanOrEqualTo(kills);
            System.out.println(master.awaitLine("exact"));
            master.awaitEnd();
        }
    }
}
