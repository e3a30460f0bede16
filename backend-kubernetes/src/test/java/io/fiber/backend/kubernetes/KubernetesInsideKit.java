// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Pod;
import io.fiber.Fiber;
import io.fiber.Pool;
import io.fiber.tck.cluster.KitJvm;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A program in a pod, with no more rights than the role of the examples. {@link KubernetesClusterTest} runs it there. */
class KubernetesInsideKit {

    static int twice(int number) {
        return 2 * number;
    }

    static String worker(int number) throws IOException, InterruptedException {
        Thread.sleep(10);
        return Files.readString(Path.of("/etc/hostname")).strip();
    }

    @Test
    void workersAreOwnedByTheProgramsPod() {
        try (KitCluster cluster = new KitCluster()) {
            try (Fiber fiber = KitFiber.builder().open();
                    Pool pool = fiber.pool(2)) {
                List<Integer> results = pool.map(KubernetesInsideKit::twice, IntStream.range(0, 100));

                assertThat(results).hasSize(100).endsWith(198);
                List<Pod> pods = cluster.pods();
                assertThat(pods)
                        .hasSize(2)
                        .allSatisfy(pod -> assertThat(pod.getMetadata().getOwnerReferences())
                                .singleElement()
                                .satisfies(owner -> assertThat(owner.getName()).isEqualTo(KitPod.NAME)));
            }
            KubernetesFixture.awaitNothingLeft();
        }
    }

    /** What container runtimes give a container that asks for nothing. */
    @Test
    @Tag("soak")
    void programWithTwentyWorkersHasRoomInASharedMemoryOf64Megabytes() throws IOException {
        FileStore shared = Files.getFileStore(Path.of("/dev/shm"));
        assertThat(shared.getTotalSpace()).isEqualTo(64L << 20);
        try (KitCluster cluster = new KitCluster();
                Fiber fiber = KitFiber.builder("64m").open();
                Pool pool = fiber.pool(20)) {
            assertThat(pool.map(KubernetesInsideKit::twice, IntStream.range(0, 1000)))
                    .hasSize(1000)
                    .endsWith(1998);
            await().atMost(KubernetesFixture.LEFT_LIMIT)
                    .until(() -> pool.map(KubernetesInsideKit::worker, IntStream.range(0, 400)).stream()
                                    .distinct()
                                    .count()
                            == 20);
            assertThat(cluster.pods()).hasSize(20);
            System.err.println(KitJvm.FIGURES + "20 workers, /dev/shm of their program's pod: "
                    + ((shared.getTotalSpace() - shared.getUsableSpace()) >> 10) + " of "
                    + (shared.getTotalSpace() >> 10) + " KiB used");
        }
    }
}
