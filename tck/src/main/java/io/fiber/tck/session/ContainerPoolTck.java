// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.Fiber;
import io.fiber.FiberBuilder;
import io.fiber.Pool;
import io.fiber.tck.host.JavaCommand;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests what a pool promises if its workers are containers. A backend's module extends this class, and provides a
 * {@code main} that calls {@link #runUntilKilled}. The kit's classes must be on the class path of its workers.
 */
public abstract class ContainerPoolTck {

    /** A directory for one test. */
    @TempDir
    protected Path directory;

    /** Returns a builder of a session on the backend under test. */
    protected abstract FiberBuilder session();

    /** Returns the backend's option for the size of {@code /dev/shm}. */
    protected abstract String sharedMemoryOption();

    /** Returns how many containers of sessions are running. */
    protected abstract int containers();

    /** Waits until nothing of a session is left on the platform. */
    protected abstract void awaitNothingLeft();

    @AfterEach
    void nothingIsLeft() {
        awaitNothingLeft();
    }

    /** Returns the number after some milliseconds; a task for tests. */
    public static int slow(int number) throws InterruptedException {
        Thread.sleep(5);
        return number;
    }

    /** Returns the sum of bytes; a task for tests. */
    public static int sum(byte[] bytes) {
        int sum = 0;
        for (byte each : bytes) {
            sum += each;
        }
        return sum;
    }

    /** Returns this number of ones; a task for tests. */
    protected static byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        Arrays.fill(bytes, (byte) 1);
        return bytes;
    }

    private static String host(int number) throws IOException {
        return number + " " + Files.readString(Path.of("/etc/hostname")).strip();
    }

    private static long sharedMemory() throws IOException {
        return Files.getFileStore(Path.of("/dev/shm")).getTotalSpace();
    }

    @Test
    void poolHasAnOptionOfItsOwn() {
        try (Fiber fiber = session().open();
                Pool pool = fiber.poolBuilder(1)
                        .backendOptions(Map.of(sharedMemoryOption(), "80m"))
                        .build()) {
            assertThat(pool.<Long>apply(ContainerPoolTck::sharedMemory)).isEqualTo(80 << 20);
        }
    }

    @Test
    void poolMapsInContainersAlsoMessagesThatNoDatagramHolds() {
        try (Fiber fiber = session().open();
                Pool pool = fiber.pool(2)) {
            List<String> hosts = pool.map(ContainerPoolTck::host, IntStream.range(0, 1000));

            assertThat(hosts).hasSize(1000);
            assertThat(hosts.get(999)).startsWith("999 ");
            assertThat(hosts.stream().map(host -> host.split(" ", 2)[1]).distinct())
                    .hasSizeBetween(1, 2)
                    .doesNotContain(System.getenv().getOrDefault("HOSTNAME", "this host"));
            assertThat(pool.apply(ContainerPoolTck::sum, bytes(60_000))).isEqualTo(60_000);
            assertThat(pool.apply(ContainerPoolTck::bytes, 60_000)).hasSize(60_000);
        }
    }

    /** Implements {@code main} of the backend's class: it has two workers until it is killed. */
    protected static void runUntilKilled(FiberBuilder session) throws InterruptedException {
        try (Fiber fiber = session.open();
                Pool pool = fiber.pool(2)) {
            System.out.println("up "
                    + pool.map(ContainerPoolTck::slow, IntStream.range(0, 10)).size());
            Thread.currentThread().join();
        }
    }

    @Test
    void killedMasterLeavesNothing() throws Exception {
        JavaCommand command = new JavaCommand(getClass())
                .jvmOptions(List.of(
                        "-Djava.io.tmpdir=" + directory, "--add-exports", "java.base/jdk.internal.misc=ALL-UNNAMED"));
        Process master = new ProcessBuilder(command.words())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader lines = master.inputReader(StandardCharsets.UTF_8)) {
            assertThat(lines.readLine()).isEqualTo("up 10");
            assertThat(containers()).isEqualTo(2);
        } finally {
            master.destroyForcibly().waitFor();
        }
        // nothingIsLeft waits for the rest.
    }
}
