// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fiber.tck.fault.Signal;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What remains when the process that holds the backend is killed: nothing. */
class KilledMasterTest {

    private static final Duration LIMIT = Duration.ofSeconds(30);

    @TempDir
    Path tmp;

    @Test
    void killedMasterLeavesNoJobAndNoFile() throws Exception {
        Process master = startMaster();
        List<Long> pids = readPids(master);
        assertThat(pids).hasSize(4).allMatch(pid -> ProcessHandle.of(pid).isPresent());

        master.destroyForcibly();

        await("all processes gone").atMost(LIMIT).until(() -> pids.stream().noneMatch(pid -> Signal.isRunning(pid)));
        awaitNoFiles();
    }

    /** Ends like a program that was told to by its user, with nothing closed. */
    @Test
    void terminatedMasterLeavesNoJobAndNoFile() throws Exception {
        Process master = startMaster();
        List<Long> pids = readPids(master);

        master.destroy();

        await("all processes gone").atMost(LIMIT).until(() -> pids.stream().noneMatch(pid -> Signal.isRunning(pid)));
        awaitNoFiles();
    }

    private Process startMaster() throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Djava.io.tmpdir=" + tmp,
                        "-XX:-UsePerfData",
                        "-cp",
                        System.getProperty("java.class.path"),
                        MortalMaster.class.getName())
                .redirectError(Redirect.INHERIT)
                .start();
    }

    private static List<Long> readPids(Process master) throws IOException {
        List<Long> pids = new ArrayList<>();
        BufferedReader reader = master.inputReader();
        for (String line = reader.readLine(); line != null && !line.equals("ready"); line = reader.readLine()) {
            pids.add(Long.parseLong(line));
        }
        return pids;
    }

    /** What is removed while it is listed is no fault. */
    private void awaitNoFiles() {
        await("all files gone")
                .atMost(LIMIT)
                .ignoreExceptionsInstanceOf(UncheckedIOException.class)
                .until(() -> files().isEmpty());
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.walk(tmp, 3)) {
            return files.filter(file -> file.toString().contains("abcdefghij02"))
                    .toList();
        }
    }
}
