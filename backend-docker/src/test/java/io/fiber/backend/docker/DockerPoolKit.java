// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.dockerjava.api.model.Container;
import io.fiber.CallOptions;
import io.fiber.Fiber;
import io.fiber.Pool;
import io.fiber.WorkerLostException;
import io.fiber.backend.support.SessionLabels;
import io.fiber.spi.backend.Volume;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program of a user whose workers are containers. {@link DockerEngineTest} runs it beside a real engine. */
class DockerPoolKit {

    private static final int LARGE_BYTES = 200_000_000;

    @TempDir
    Path directory;

    @AfterEach
    void nothingIsLeft() {
        DockerFixture.awaitNothingLeft();
    }

    static String host(int number) throws IOException {
        return number + " " + Files.readString(Path.of("/etc/hostname")).strip();
    }

    static int sum(byte[] bytes) {
        int sum = 0;
        for (byte each : bytes) {
            sum += each;
        }
        return sum;
    }

    static byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        Arrays.fill(bytes, (byte) 1);
        return bytes;
    }

    static int slow(int number) throws InterruptedException {
        Thread.sleep(5);
        return number;
    }

    private static List<Container> containers(Engine engine) {
        return engine.ask(docker -> docker.listContainersCmd()
                .withLabelFilter(Set.of(SessionLabels.SESSION))
                .exec());
    }

    static long sharedMemory() throws IOException {
        return Files.getFileStore(Path.of("/dev/shm")).getTotalSpace();
    }

    @Test
    void poolHasAnOptionOfItsOwn() {
        try (Fiber fiber = KitFiber.builder().open();
                Pool pool = fiber.poolBuilder(1)
                        .backendOptions(Map.of("docker.shm-size", "80m"))
                        .build()) {
            assertThat(pool.<Long>apply(DockerPoolKit::sharedMemory)).isEqualTo(80 << 20);
        }
    }

    @Test
    void poolMapsInContainersAlsoMessagesThatNoDatagramHolds() {
        try (Fiber fiber = KitFiber.builder().open();
                Pool pool = fiber.pool(2)) {
            List<String> hosts = pool.map(DockerPoolKit::host, IntStream.range(0, 1000));

            assertThat(hosts).hasSize(1000);
            assertThat(hosts.get(999)).startsWith("999 ");
            assertThat(hosts.stream().map(host -> host.split(" ", 2)[1]).distinct())
                    .hasSizeBetween(1, 2)
                    .doesNotContain(System.getenv().getOrDefault("HOSTNAME", "this host"));
            assertThat(pool.apply(DockerPoolKit::sum, bytes(60_000))).isEqualTo(60_000);
            assertThat(pool.apply(DockerPoolKit::bytes, 60_000)).hasSize(60_000);
        }
    }

    @Test
    @Tag("soak")
    void messageOf200MegabytesPassesBothWays() {
        try (Fiber fiber = KitFiber.builder("1g").open();
                Pool pool = fiber.pool(1)) {
            assertThat(pool.apply(DockerPoolKit::bytes, LARGE_BYTES)).hasSize(LARGE_BYTES);
            assertThat(pool.apply(DockerPoolKit::sum, bytes(LARGE_BYTES))).isEqualTo(LARGE_BYTES);
        }
    }

    static String write(String text) throws IOException {
        Files.writeString(Path.of("written"), text);
        return Path.of("").toRealPath().toString();
    }

    @Test
    void workersGetTheImageVolumeDirectoryAndLabelsOfTheirPool() throws IOException {
        Path data = Files.createDirectory(directory.resolve("data"));
        Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwxrwxrwx"));
        try (Fiber fiber = KitFiber.builder().open();
                Engine engine = DockerFixture.engine();
                Pool pool = fiber.poolBuilder(1)
                        .image(TestEngine.IMAGE)
                        .volumes(List.of(new Volume(data.toString(), "/data", Volume.Access.READ_WRITE)))
                        .workingDirectory(Path.of("/data"))
                        .labels(Map.of("team", "one"))
                        .build()) {
            assertThat(pool.apply(DockerPoolKit::write, "one")).isEqualTo("/data");
            assertThat(data.resolve("written")).hasContent("one");
            assertThat(containers(engine))
                    .singleElement()
                    .satisfies(container -> assertThat(container.getLabels()).containsEntry("team", "one"));
        }
    }

    static long secretBytes(int number) throws IOException {
        return Files.size(Path.of(ContainerPlan.BOOTSTRAP_DIRECTORY, ContainerPlan.BOOTSTRAP_FILE));
    }

    /** Its directory is root's, so the file stays. */
    @Test
    void secretOfAWorkerIsNoLongerInItsFile() {
        try (Fiber fiber = KitFiber.builder().open();
                Pool pool = fiber.pool(1)) {
            assertThat(pool.apply(DockerPoolKit::secretBytes, 1)).isZero();
        }
    }

    /** A file in /tmp is memory of the container. */
    static int fill(int megabytes) throws IOException {
        byte[] megabyte = new byte[1 << 20];
        try (OutputStream file = Files.newOutputStream(Files.createTempFile("full", null))) {
            for (int i = 0; i < megabytes; i++) {
                file.write(megabyte);
            }
        }
        return megabytes;
    }

    @Test
    void taskThatUsesTooMuchMemoryIsToldSo() {
        try (Fiber fiber = KitFiber.builder("64m").open();
                Pool pool = fiber.poolBuilder(1)
                        .callOptions(CallOptions.defaults().maxReruns(0))
                        .start()) {
            assertThatThrownBy(() -> pool.apply(DockerPoolKit::fill, 2_000))
                    .isInstanceOf(WorkerLostException.class)
                    .hasMessageContaining("out of memory (exit code 137): the container used more than its limit of 320"
                            + " MiB; ask for more memory, or set fiber.docker.memory");
            assertThat(pool.apply(DockerPoolKit::fill, 1)).isEqualTo(1);
        }
    }

    @Test
    void mapOutlivesWorkersThatAreKilledOrRemovedFromOutside() {
        try (Fiber fiber = KitFiber.builder().open();
                Pool pool = fiber.pool(2);
                Engine engine = DockerFixture.engine()) {
            pool.map(DockerPoolKit::slow, IntStream.range(0, 10));
            CompletableFuture<List<Integer>> results =
                    CompletableFuture.supplyAsync(() -> pool.map(DockerPoolKit::slow, IntStream.range(0, 1000)));
            List<Container> workers = containers(engine);
            engine.signal(workers.get(0).getId(), "KILL");
            engine.remove(workers.get(1).getId());

            assertThat(results.join())
                    .isEqualTo(IntStream.range(0, 1000).boxed().toList());
        }
    }

    /** The master that is killed. */
    static final class Master {
        private Master() {}

        public static void main(String[] arguments) throws InterruptedException {
            try (Fiber fiber = KitFiber.builder().open();
                    Pool pool = fiber.pool(2)) {
                System.out.println("up "
                        + pool.map(DockerPoolKit::slow, IntStream.range(0, 10)).size());
                Thread.currentThread().join();
            }
        }
    }

    @Test
    void killedMasterLeavesNothing() throws Exception {
        List<String> words = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-Djava.io.tmpdir=" + directory,
                "--add-exports",
                "java.base/jdk.internal.misc=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Master.class.getName()));
        Process master = new ProcessBuilder(words)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader lines = master.inputReader(StandardCharsets.UTF_8);
                Engine engine = DockerFixture.engine()) {
            assertThat(lines.readLine()).isEqualTo("up 10");
            assertThat(containers(engine)).hasSize(2);
        } finally {
            master.destroyForcibly().waitFor();
        }
        // nothingIsLeft waits for the rest.
    }
}
