// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.aeron;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.fiber.transport.aeron.StaleDirectories.Witness;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StaleDirectoriesTest {

    @TempDir
    Path tmp;

    /** Of a process in another pid namespace only the age of its directory tells that it may be about to begin. */
    @Test
    void directoryOfADriverThatMayStillBeginStays() throws Exception {
        assumeThat(Path.of("/proc/self/task")).as("a Linux").exists();
        Path own = Files.createDirectory(tmp.resolve("own"));
        Process ended = new ProcessBuilder("true").start();
        ended.waitFor();
        String user = DriverDirectory.PREFIX + DriverDirectory.userOf(own) + "-";
        Path young = Files.createDirectory(tmp.resolve(user + "abcdefghijkl-" + ended.pid()));
        Path old = Files.createDirectory(tmp.resolve(user + "mnopqrstuvwx-" + ended.pid()));
        Files.setLastModifiedTime(young, FileTime.from(Instant.now().plus(Duration.ofHours(1))));
        Files.setLastModifiedTime(old, FileTime.from(Instant.now().minus(Duration.ofHours(1))));

        StaleDirectories.remove(tmp, own, Witness.NUMBER_AND_HEARTBEAT);
        assertThat(young).exists();
        assertThat(old).doesNotExist();

        StaleDirectories.remove(tmp, own, Witness.NUMBER);
        assertThat(young).doesNotExist();
    }
}
