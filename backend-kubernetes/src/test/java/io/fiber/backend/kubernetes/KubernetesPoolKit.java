// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fiber.Fiber;
import io.fiber.FiberBuilder;
import io.fiber.Pool;
import io.fiber.tck.session.ContainerPoolTck;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A program of a user whose workers are pods. {@link KubernetesClusterTest} runs it beside a real cluster, and in a pod of it. */
class KubernetesPoolKit extends ContainerPoolTck {

    @Override
    protected FiberBuilder session() {
        return KitFiber.builder();
    }

    @Override
    protected String sharedMemoryOption() {
        return "kubernetes.shm-size";
    }

    @Override
    protected int containers() {
        try (KitCluster cluster = new KitCluster()) {
            return cluster.pods().size();
        }
    }

    @Override
    protected void awaitNothingLeft() {
        KubernetesFixture.awaitNothingLeft();
    }

    /** The master that is killed. */
    public static void main(String[] arguments) throws InterruptedException {
        runUntilKilled(KitFiber.builder());
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
}
