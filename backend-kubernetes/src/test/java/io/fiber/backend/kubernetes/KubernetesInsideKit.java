// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Pod;
import io.fiber.Fiber;
import io.fiber.Pool;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A program in a pod, with no more rights than the role of the examples. {@link KubernetesClusterTest} runs it there. */
class KubernetesInsideKit {

    static int twice(int number) {
        return 2 * number;
    }

    @Test
    void workersAreOwnedByTheProgramsPod() {
        try (KitCluster cluster = new KitCluster()) {
            try (Fiber fiber = KitFiber.builder().open();
                    Pool pool = fiber.pool(2)) {
                List<Integer> results = pool.map(KubernetesInsideKit::twice, IntStream.range(0, 100));

                assertThat(results).hasSize(100).endsWith(198);
                List<Pod> pods = cluster.pods("default");
                assertThat(pods)
                        .hasSize(2)
                        .allSatisfy(pod -> assertThat(pod.getMetadata().getOwnerReferences())
                                .singleElement()
                                .satisfies(owner -> assertThat(owner.getName()).isEqualTo(KitPod.NAME)));
            }
            await().atMost(KubernetesFixture.LEFT_LIMIT)
                    .untilAsserted(() -> assertThat(cluster.remains("default"))
                            .as("pods and secrets")
                            .isEmpty());
        }
    }
}
