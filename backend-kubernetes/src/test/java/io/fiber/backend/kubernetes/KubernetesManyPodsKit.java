// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fiber.Fiber;
import io.fiber.Pool;
import io.fiber.backend.support.SessionLabels;
import io.fiber.spec.Resources;
import io.fiber.tck.cluster.KitJvm;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Twenty pods: what the API server is asked, and how soon the first of them works. The figures of docs/reliability.md go to
 * standard error; they are no promises. {@link KubernetesClusterTest} runs it beside a real cluster.
 */
@Tag("soak")
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class KubernetesManyPodsKit {

    private static final Duration LIMIT = Duration.ofMinutes(4);
    private static final Duration IDLE = Duration.ofSeconds(60);
    private static final int PODS = 20;
    private static final int ROUNDS = 3;

    @AfterEach
    void nothingIsLeft() {
        KubernetesFixture.awaitNothingLeft(LIMIT);
    }

    static int slow(int number) throws InterruptedException {
        Thread.sleep(100);
        return number;
    }

    private static long running(KitCluster cluster) {
        return cluster.pods().stream()
                .filter(pod -> "Running".equals(pod.getStatus().getPhase()))
                .count();
    }

    /** Also what kubelets and the scheduler ask for is counted, and it grows with changes, too. */
    @Test
    void requestsGrowWithChangesNotWithTime() {
        try (KitCluster cluster = new KitCluster()) {
            long first = cluster.requests();
            long idle;
            long changed;
            try (Fiber fiber = KitFiber.builder("64m").open();
                    Pool pool = fiber.pool(PODS)) {
                assertThat(pool.map(KubernetesManyPodsKit::slow, IntStream.range(0, 10 * PODS)))
                        .isEqualTo(IntStream.range(0, 10 * PODS).boxed().toList());
                await().atMost(LIMIT).until(() -> running(cluster) == PODS);
                await().pollDelay(Duration.ofSeconds(15)).atMost(LIMIT).until(() -> true);
                long before = cluster.requests();
                await().pollDelay(IDLE).atMost(LIMIT).until(() -> true);
                changed = before - first;
                idle = cluster.requests() - before;
            }
            KubernetesFixture.awaitNothingLeft(LIMIT);
            System.err.println(KitJvm.FIGURES + "requests for pods and secrets, of all who ask: " + changed
                    + " for the start of "
                    + PODS + " pods, " + idle + " in " + IDLE.toSeconds() + " s in which nothing happened, "
                    + (cluster.requests() - first) + " until nothing was left");

            // Watches that the server ends and begins anew, also those of the nodes.
            assertThat(idle).as("requests in a minute").isLessThan(30);
        }
    }

    /**
     * Each pod with a processor of its own, on the one node that has as many as this machine: the others wait. Together the
     * nodes claim more, and pods that start at the same time would wait for each other.
     */
    @Test
    void firstResultComesSoonAfterTheFirstPodIsReady() {
        try (KitCluster cluster = new KitCluster()) {
            for (int round = 0; round < ROUNDS; round++) {
                System.err.println(KitJvm.FIGURES + firstResult(cluster));
                KubernetesFixture.awaitNothingLeft(LIMIT);
            }
        }
    }

    @SuppressWarnings("try") // The watch is there while the pool is.
    private static String firstResult(KitCluster cluster) {
        CompletableFuture<Long> readyNs = new CompletableFuture<>();
        long beganNs = System.nanoTime();
        try (Watch watch = cluster.client()
                        .pods()
                        .inNamespace(KitCluster.NAMESPACE)
                        .withLabel(SessionLabels.SESSION)
                        .watch(new FirstReady(readyNs));
                Fiber fiber = KitFiber.builder("64m")
                        .set("fiber.kubernetes.node-selector", "kubernetes.io/hostname=node-1")
                        .open();
                Pool pool = fiber.poolBuilder(PODS).resources(Resources.cpus(1)).start();
                Stream<Integer> results =
                        pool.imapUnordered(KubernetesManyPodsKit::slow, IntStream.range(0, 10 * PODS))) {
            assertThat(results.findFirst()).isPresent();
            long cameNs = System.nanoTime();
            return "of " + PODS + " pods, " + running(cluster)
                    + " of which have a processor, the first was ready after "
                    + millis(readyNs.join() - beganNs) + " ms, the first result came " + millis(cameNs - readyNs.join())
                    + " ms later";
        }
    }

    private static long millis(long ns) {
        return TimeUnit.NANOSECONDS.toMillis(ns);
    }

    /** Notes when the cluster first says of a pod that it is ready. */
    private record FirstReady(CompletableFuture<Long> readyNs) implements Watcher<Pod> {

        @Override
        public void eventReceived(Action action, Pod pod) {
            if (pod.getStatus().getConditions().stream()
                    .anyMatch(each ->
                            each.getType().equals("Ready") && each.getStatus().equals("True"))) {
                readyNs.complete(System.nanoTime());
            }
        }

        @Override
        public void onClose(WatcherException cause) {
            readyNs.completeExceptionally(cause);
        }
    }
}
