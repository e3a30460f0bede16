// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.Fiber;
import io.fiber.Pool;
import io.fiber.ProcessStartException;
import io.fiber.backend.slurm.ssh.SshHost;
import io.fiber.backend.slurm.ssh.SshOptions;
import io.fiber.spi.Environment;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A user's program on a workstation, whose files no node can read. {@link SshClusterTest} runs it as root with a class path of
 * its own.
 */
class SshPoolKit {

    private static final int POINTS = 100_000;

    @TempDir
    Path directory;

    /** Below the home of the account on the login node. */
    private final String shared = ".fiber/pool-kit-" + ProcessHandle.current().pid();

    private final Path config = SshFixture.directoryOfLogin().resolve("config");

    static int inside(int seed) {
        Random random = new Random(seed);
        int inside = 0;
        for (int i = 0; i < POINTS; i++) {
            double x = random.nextDouble();
            double y = random.nextDouble();
            inside += x * x + y * y <= 1 ? 1 : 0;
        }
        return inside;
    }

    static String surroundings(String entry) {
        return System.getProperty("user.name") + " " + Files.isReadable(Path.of(entry)) + " "
                + System.getProperty("java.class.path");
    }

    private String onLoginNode(String line) {
        SshOptions options =
                SshOptions.of(SlurmFixture.options(SshFixture.login(config))).orElseThrow();
        try (SshHost host = SshHost.of(options, Environment.system(), directory)) {
            return host.run(line, new byte[0], Duration.ofSeconds(20)).output();
        }
    }

    @AfterEach
    void removeWhatWasSent() {
        onLoginNode("rm -rf " + shared);
    }

    @Test
    void poolMapsFromAWorkstationWhoseFilesNobodySees() throws Exception {
        String entry = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(file -> Files.isDirectory(Path.of(file)))
                .findFirst()
                .orElseThrow();
        try (Fiber fiber = OutsideFiber.builderIn(shared).open();
                Pool pool = fiber.pool(4)) {
            int inside = pool.map(SshPoolKit::inside, IntStream.range(0, 40)).stream()
                    .mapToInt(Integer::intValue)
                    .sum();
            assertThat(4.0 * inside / (40.0 * POINTS)).isBetween(3.1, 3.2);

            List<String> words =
                    List.of(pool.apply(SshPoolKit::surroundings, entry).split(" ", 3));
            assertThat(words.get(0)).isNotEqualTo(System.getProperty("user.name"));
            assertThat(words.get(1)).as("whether a worker can read " + entry).isEqualTo("false");
            assertThat(words.get(2).split(":"))
                    .isNotEmpty()
                    .allSatisfy(file -> assertThat(file).contains("/" + shared + "/class-path/"));
        }
        assertThat(onLoginNode("ls " + shared).lines()).containsExactly("class-path");
        String staged = onLoginNode("cd " + shared + "/class-path && ls -la --time-style=full-iso */*");
        assertThat(staged).doesNotContain(".part-");
        try (Fiber fiber = OutsideFiber.builderIn(shared).open();
                Pool pool = fiber.pool(1)) {
            assertThat(pool.apply(SshPoolKit::inside, 1)).isPositive();
        }
        assertThat(onLoginNode("cd " + shared + "/class-path && ls -la --time-style=full-iso */*"))
                .as("what a second session finds there it does not send again")
                .isEqualTo(staged);
        assertThat(onLoginNode("stat -c %a " + shared + "/class-path").getBytes(StandardCharsets.UTF_8))
                .isEqualTo("700\n".getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void workerThatCannotReachTheWorkstationSaysWhatItHasDialledAndFromWhere() {
        // An address of documentation: nobody has it.
        try (Fiber fiber = OutsideFiber.builderIn(shared)
                .set("fiber.advertised-address", "192.0.2.1")
                .set("fiber.output", "none")
                .set("fiber.start-limit", "10m")
                .open()) {

            assertThatThrownBy(() -> fiber.process(() -> {}))
                    .isInstanceOf(ProcessStartException.class)
                    .hasMessageStartingWith("FBR-310")
                    .hasMessageContaining("FBR-157 the master 'main' at 192.0.2.1:")
                    .hasMessageContaining(
                            "did not accept this worker within 20000 ms, so the worker ends. It dialled from the host"
                                    + " '" + System.getenv(SshFixture.NODES))
                    .hasMessageContaining("fiber.advertised-address");
        }
    }
}
