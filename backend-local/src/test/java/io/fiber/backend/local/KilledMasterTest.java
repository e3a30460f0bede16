// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fiber.tck.fault.Signal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What remains when the process that holds the backend is killed: nothing. */
@Tag("slow")
class KilledMasterTest {

    @TempDir
    Path tmp;

    @Test
    void killedMasterLeavesNoJobAndNoFile() throws IOException {
        assertLeavesNothing(Process::destroyForcibly);
    }

    /** Ends like a program that was told to by its user, with nothing closed. */
    @Test
    void terminatedMasterLeavesNoJobAndNoFile() throws IOException {
        assertLeavesNothing(Process::destroy);
    }

    private void assertLeavesNothing(Consumer<Process> end) throws IOException {
        try (MasterJvm master = new MasterJvm(tmp, MortalMaster.class, List.of())) {
            List<Long> pids = Stream.of(master.awaitLine("runs").split(" "))
                    .map(Long::valueOf)
                    .toList();
            assertThat(pids).hasSize(4).allMatch(Signal::isRunning);
            assertThat(files()).isNotEmpty();

            end.accept(master.process());

            await("all processes gone")
                    .atMost(LocalFiber.LIMIT)
                    .until(() -> pids.stream().noneMatch(Signal::isRunning));
            awaitNoFiles();
        }
    }

    /** What is removed while it is listed is no fault. */
    private void awaitNoFiles() {
        await("all files gone")
                .atMost(LocalFiber.LIMIT)
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
