// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.fiber.tck.cluster.KitRun;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;

/**
 * Runs the tests that need a cluster, on the one that {@code dev/kubernetes/up} has started: in a JVM beside its pods, a
 * program outside of the cluster, and in a pod.
 */
class KubernetesClusterTest {

    private static final List<String> LONG = List.of(KitRun.Part.SOAK.option(), "-Xmx1200m");

    @TestFactory
    @Tag("cluster")
    @Timeout(3600)
    Stream<DynamicNode> contractIsKeptOnARealCluster() {
        return on(cluster -> cluster.run(
                names(KubernetesKit.class, KubernetesJobsKit.class, KubernetesRefusalsKit.class)
                        .toList(),
                List.of()));
    }

    @TestFactory
    @Tag("cluster")
    @Timeout(3600)
    Stream<DynamicNode> programInAPodHasItsWorkersInPods() {
        return on(cluster -> cluster.runInPod(names(KubernetesInsideKit.class).toList(), List.of()));
    }

    @TestFactory
    @Tag("soak")
    @Timeout(7200)
    Stream<DynamicNode> poolsQueuesAndPipesWorkBetweenPods() {
        return on(cluster -> cluster.run(
                names(KubernetesPoolKit.class, KubernetesQueueKit.class, KubernetesPipeKit.class)
                        .toList(),
                List.of()));
    }

    @TestFactory
    @Tag("soak")
    @Timeout(7200)
    Stream<DynamicNode> managersAndRingsWorkBetweenPods() {
        return on(cluster -> cluster.run(
                names(KubernetesManagerKit.class, KubernetesRingKit.class).toList(), List.of()));
    }

    @TestFactory
    @Tag("soak")
    @Timeout(7200)
    Stream<DynamicNode> contractIsKeptInAPodToo() {
        return on(cluster -> cluster.runInPod(names(KubernetesKit.class).toList(), List.of()));
    }

    @TestFactory
    @Tag("soak")
    @Timeout(7200)
    Stream<DynamicNode> poolsQueuesAndPipesOfAProgramInAPodWork() {
        return on(cluster -> cluster.runInPod(
                names(KubernetesPoolKit.class, KubernetesQueueKit.class, KubernetesPipeKit.class)
                        .toList(),
                List.of()));
    }

    @TestFactory
    @Tag("soak")
    @Timeout(7200)
    Stream<DynamicNode> managersAndRingsOfAProgramInAPodWork() {
        return on(cluster -> cluster.runInPod(
                names(KubernetesManagerKit.class, KubernetesRingKit.class).toList(), List.of()));
    }

    @TestFactory
    @Tag("soak")
    @Timeout(7200)
    Stream<DynamicNode> longTestsInAPod() {
        return on(cluster -> cluster.runInPod(
                names(KubernetesInsideKit.class, KubernetesMessagesKit.class).toList(), LONG));
    }

    @TestFactory
    @Tag("soak")
    @Timeout(7200)
    Stream<DynamicNode> longTestsBesideThePods() {
        return on(cluster -> cluster.run(
                names(KubernetesImagesKit.class, KubernetesMessagesKit.class, KubernetesManyPodsKit.class)
                        .toList(),
                LONG));
    }

    @TestFactory
    @Tag("soak")
    @Timeout(7200)
    Stream<DynamicNode> faultsOfTheClusterLoseNothing() {
        return on(cluster -> cluster.run(names(KubernetesFaultsKit.class).toList(), LONG));
    }

    private static Stream<String> names(Class<?>... tests) {
        return Stream.of(tests).map(Class::getName);
    }

    private static Stream<DynamicNode> on(Function<TestCluster, List<DynamicNode>> run) {
        Optional<TestCluster> cluster = TestCluster.find();
        return cluster.isEmpty()
                ? Stream.of(dynamicTest("a cluster", () -> abort(TestCluster.MISSING)))
                : run.apply(cluster.get()).stream();
    }
}
