// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Pod;
import io.fiber.Fiber;
import io.fiber.Pool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What goes wrong with a cluster while a pool works: every result comes once. {@link KubernetesClusterTest} runs it beside a
 * real cluster.
 */
@Tag("soak")
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class KubernetesFaultsKit {

    private static final Duration LIMIT = Duration.ofMinutes(4);
    private static final int WORKERS = 4;

    @AfterEach
    void allIsMendedAndNothingIsLeft() {
        KitCluster.fault("api", "on");
        KitCluster.fault("node", "on", "2");
        try (KitCluster cluster = new KitCluster()) {
            cluster.client()
                    .pods()
                    .inNamespace(KitCluster.NAMESPACE)
                    .withName(KitPod.NAME)
                    .withGracePeriod(0)
                    .delete();
            KubernetesFixture.awaitNothingLeft(LIMIT);
            await().atMost(LIMIT).until(() -> cluster.isReady("node-2"));
        }
    }

    static int slow(int number) throws InterruptedException {
        Thread.sleep(100);
        return number;
    }

    private static List<Integer> numbers(int count) {
        return IntStream.range(0, count).boxed().toList();
    }

    private static CompletableFuture<List<Integer>> begin(Pool pool, int count) {
        pool.map(KubernetesFaultsKit::slow, IntStream.range(0, WORKERS * 4));
        return CompletableFuture.supplyAsync(() -> pool.map(KubernetesFaultsKit::slow, IntStream.range(0, count)));
    }

    /** Waits until pods run on a node. */
    private static void awaitPodsOn(String node) {
        try (KitCluster cluster = new KitCluster()) {
            await().atMost(LIMIT)
                    .until(() -> cluster.pods().stream()
                            .anyMatch(pod -> node.equals(pod.getSpec().getNodeName())
                                    && "Running".equals(pod.getStatus().getPhase())));
        }
    }

    @Test
    void apiServerThatStopsForAMinuteIsNotNoticedByAPool() {
        try (Fiber fiber = KitFiber.builder().open();
                Pool pool = fiber.pool(WORKERS)) {
            CompletableFuture<List<Integer>> results = begin(pool, 3_000);
            KitCluster.fault("api", "off");
            pause(Duration.ofSeconds(60));
            KitCluster.fault("api", "on");

            assertThat(results.join()).isEqualTo(numbers(3_000));
            replaceAPod(pool);
        }
    }

    @Test
    void watchThatCannotBeResumedBeginsAnew() {
        try (Fiber fiber = KitFiber.builder().open();
                Pool pool = fiber.pool(WORKERS)) {
            CompletableFuture<List<Integer>> results = begin(pool, 1_000);
            KitCluster.fault("forget");

            assertThat(results.join()).isEqualTo(numbers(1_000));
            replaceAPod(pool);
        }
    }

    /** A worker whose pod is deleted is noticed, and the pool has all its workers again. */
    private static void replaceAPod(Pool pool) {
        try (KitCluster cluster = new KitCluster()) {
            Pod victim = cluster.pods().get(0);
            cluster.client().resource(victim).withGracePeriod(0).delete();
            CompletableFuture<List<Integer>> results = begin(pool, 200);
            await().atMost(LIMIT)
                    .untilAsserted(() -> assertThat(cluster.pods())
                            .extracting(pod -> pod.getMetadata().getName())
                            .hasSize(WORKERS)
                            .doesNotContain(victim.getMetadata().getName()));
            assertThat(results.join()).isEqualTo(numbers(200));
        }
    }

    @Test
    void workOfANodeWhoseKubeletIsKilledGoesOnOrIsDoneElsewhere() {
        try (Fiber fiber = KitFiber.builder().open();
                Pool pool = fiber.pool(WORKERS)) {
            CompletableFuture<List<Integer>> results = begin(pool, 2_400);
            awaitPodsOn("node-2");
            KitCluster.fault("kubelet", "off", "2");

            assertThat(results.join()).isEqualTo(numbers(2_400));
            KitCluster.fault("kubelet", "on", "2");
        }
    }

    @Test
    void workOfANodeThatLosesItsPowerIsDoneElsewhere() {
        try (Fiber fiber = KitFiber.builder().open();
                Pool pool = fiber.pool(WORKERS)) {
            CompletableFuture<List<Integer>> results = begin(pool, 1_000);
            awaitPodsOn("node-2");
            KitCluster.fault("node", "off", "2");

            assertThat(results.join()).isEqualTo(numbers(1_000));
            KitCluster.fault("node", "on", "2");
        }
    }

    /** The master in a pod. */
    static final class Master {
        private Master() {}

        public static void main(String[] arguments) throws InterruptedException {
            try (Fiber fiber = KitFiber.builder().open();
                    Pool pool = fiber.pool(2)) {
                pool.map(KubernetesFaultsKit::slow, IntStream.range(0, 10));
                System.out.println("up");
                Thread.currentThread().join();
            }
        }
    }

    @Test
    void podsOfAMasterWhosePodIsDeletedAreRemovedByTheCluster() throws IOException {
        try (KitCluster cluster = new KitCluster()) {
            Pod master = startMaster(cluster);
            cluster.client().resource(master).withGracePeriod(0).delete();
            // The rest waits.
        }
    }

    @Test
    void podsOfAMasterThatIsKilledEnd() throws IOException {
        try (KitCluster cluster = new KitCluster()) {
            Pod master = startMaster(cluster);
            cluster.kill(KitPod.NAME);
            await().atMost(LIMIT)
                    .untilAsserted(() -> assertThat(cluster.pods())
                            .noneMatch(pod -> "Running".equals(pod.getStatus().getPhase())));
            cluster.client().resource(master).withGracePeriod(0).delete();
            // The rest waits.
        }
    }

    private static Pod startMaster(KitCluster cluster) throws IOException {
        cluster.client()
                .load(Files.newInputStream(KitPod.EXAMPLES.resolve("role.yml")))
                .inNamespace(KitCluster.NAMESPACE)
                .serverSideApply();
        Path state = TestCluster.files();
        Pod master = cluster.client()
                .resource(KitPod.of(state, Master.class, List.of(), List.of()))
                .inNamespace(KitCluster.NAMESPACE)
                .create();
        // Who asks before the container is there is refused.
        await().atMost(LIMIT)
                .ignoreExceptions()
                .untilAsserted(() -> assertThat(cluster.client()
                                .pods()
                                .inNamespace(KitCluster.NAMESPACE)
                                .withName(KitPod.NAME)
                                .getLog())
                        .contains("up"));
        assertThat(cluster.pods()).hasSize(2);
        return master;
    }

    private static void pause(Duration time) {
        await().pollDelay(time).atMost(time.plusMinutes(1)).until(() -> true);
    }
}
