// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class SignalTest {

    private static final long HERE = ProcessHandle.current().pid();

    private static long numberOfAThread() throws IOException {
        try (Stream<Path> threads = Files.list(Path.of("/proc/self/task"))) {
            return threads.map(thread -> Long.parseLong(thread.getFileName().toString()))
                    .filter(number -> number != HERE)
                    .findAny()
                    .orElseThrow();
        }
    }

    @Test
    void processRunsAndTakesASignal() {
        assertThat(Signal.isRunning(HERE)).isTrue();
        assertThat(Signal.CONTINUE.offer(HERE)).isTrue();
    }

    /** The kernel would send it to the whole process. */
    @Test
    void threadIsNoProcess() throws IOException {
        long number = numberOfAThread();

        assertThat(Signal.isRunning(number)).isFalse();
        assertThat(Signal.CONTINUE.offer(number)).isFalse();
    }

    @Test
    void processThatHasEndedRunsNoMore() throws Exception {
        Process process = new ProcessBuilder("true").start();
        process.waitFor();

        assertThat(Signal.isRunning(process.pid())).isFalse();
        assertThat(Signal.KILL.offer(process.pid())).isFalse();
    }
}
