// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.fiber.FiberBuilder;
import io.fiber.Pool;
import io.fiber.backend.support.SessionLabels;
import io.fiber.tck.session.WorkerKillersTck;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** What ends its workers ends few pods. {@link KubernetesClusterTest} runs it beside a real cluster. */
class KubernetesWorkerKillersKit extends WorkerKillersTck {

    private final KitCluster cluster = new KitCluster();
    private final Set<String> made = ConcurrentHashMap.newKeySet();
    private SharedIndexInformer<Pod> pods;

    @BeforeAll
    void watchCluster() {
        pods = cluster.client()
                .pods()
                .inNamespace(KitCluster.NAMESPACE)
                .withLabel(SessionLabels.JOB)
                .inform(new Counting());
    }

    private final class Counting implements ResourceEventHandler<Pod> {
        @Override
        public void onAdd(Pod pod) {
            made.add(pod.getMetadata().getUid());
        }

        @Override
        public void onUpdate(Pod before, Pod pod) {
            // It was counted when it was added.
        }

        @Override
        public void onDelete(Pod pod, boolean isStateUnknown) {
            // It still counts.
        }
    }

    @AfterAll
    void leaveCluster() {
        pods.close();
        cluster.close();
    }

    @Override
    protected void assertNothingLeft() {
        KubernetesFixture.awaitNothingLeft();
    }

    @Override
    protected FiberBuilder session(String memory) {
        return KitFiber.builder(memory);
    }

    @Override
    protected long jobs(Pool pool) {
        return made.size();
    }
}
