// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fiber.Fiber;
import io.fiber.Pool;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program of a user whose workers are pods. {@link KubernetesClusterTest} runs it beside a real cluster, and in a pod of it. */
class KubernetesPoolKit {

    @TempDir
    Path directory;

    @AfterEach
    void nothingIsLeft() {
        KubernetesFixture.awaitNothingLeft();
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

    static long sharedMemory() throws IOException {
        return Files.getFileStore(Path.of("/dev/shm")).getTotalSpace();
    }

    @Test
    void poolHasAnOptionOfItsOwn() {
        try (Fiber fiber = KitFiber.builder().open();
                Pool pool = fiber.poolBuilder(1)
                        .backendOptions(Map.of("kubernetes.shm-size", "80m"))
                        .build()) {
            assertThat(pool.<Long>apply(KubernetesPoolKit::sharedMemory)).isEqualTo(80 << 20);
        }
    }

    @Test
    void poolMapsInPodsAlsoMessagesThatNoDatagramHolds() {
        try (Fiber fiber = KitFiber.builder().open();
                Pool pool = fiber.pool(2)) {
            List<String> hosts = pool.map(KubernetesPoolKit::host, IntStream.range(0, 1000));

            assertThat(hosts).hasSize(1000);
            assertThat(hosts.get(999)).startsWith("999 ");
            assertThat(hosts.stream().map(host -> host.split(" ", 2)[1]).distinct())
                    .hasSizeBetween(1, 2)
                    .doesNotContain(System.getenv().getOrDefault("HOSTNAME", "this host"));
            assertThat(pool.apply(KubernetesPoolKit::sum, bytes(60_000))).isEqualTo(60_000);
            assertThat(pool.apply(KubernetesPoolKit::bytes, 60_000)).hasSize(60_000);
        }
    }

    @Test
    void mapOutlivesAPodThatIsDeletedFromOutside() {
        try (Fiber fiber = KitFiber.builder().open();
                Pool pool = fiber.pool(2);
                KitCluster cluster = new KitCluster()) {
            pool.map(KubernetesPoolKit::slow, IntStream.range(0, 10));
            CompletableFuture<List<Integer>> results =
                    CompletableFuture.supplyAsync(() -> pool.map(KubernetesPoolKit::slow, IntStream.range(0, 1000)));
            Pod victim = cluster.pods().get(0);
            cluster.client().resource(victim).withGracePeriod(0).delete();

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
                        + pool.map(KubernetesPoolKit::slow, IntStream.range(0, 10))
                                .size());
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
                KitCluster cluster = new KitCluster()) {
            assertThat(lines.readLine()).isEqualTo("up 10");
            assertThat(cluster.pods()).hasSize(2);
        } finally {
            master.destroyForcibly().waitFor();
        }
        // nothingIsLeft waits for the rest.
    }
}
