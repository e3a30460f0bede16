// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.fiber.tck.BackendTck;
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

    /** Groups of the contract that are part of every test run; a pod is easiest to get wrong there. */
    private static final List<String> GROUPS = List.of("Submission");

    private static final List<String> OTHER_GROUPS =
            List.of("Provider", "Bootstrap", "Cancellation", "Events", "Capabilities", "Logs", "Close", "Orphans");

    @TestFactory
    @Timeout(3600)
    Stream<DynamicNode> contractIsKeptOnARealCluster() {
        return on(cluster -> cluster.run(
                Stream.concat(groups(GROUPS), names(KubernetesJobsKit.class, KubernetesRefusalsKit.class))
                        .toList(),
                List.of()));
    }

    @TestFactory
    @Timeout(3600)
    Stream<DynamicNode> programInAPodHasItsWorkersInPods() {
        return on(cluster -> cluster.runInPod(names(KubernetesInsideKit.class).toList()));
    }

    @TestFactory
    @Tag("soak")
    @Timeout(7200)
    Stream<DynamicNode> restOfTheContractIsKeptToo() {
        return on(cluster -> cluster.run(
                Stream.concat(
                                groups(OTHER_GROUPS),
                                names(
                                        KubernetesPoolKit.class,
                                        KubernetesQueueKit.class,
                                        KubernetesPipeKit.class,
                                        KubernetesManagerKit.class,
                                        KubernetesRingKit.class))
                        .toList(),
                List.of()));
    }

    @TestFactory
    @Tag("soak")
    @Timeout(7200)
    Stream<DynamicNode> contractIsKeptInAPodToo() {
        return on(cluster ->
                cluster.runInPod(Stream.of(groups(GROUPS), groups(OTHER_GROUPS), names(KubernetesPoolKit.class))
                        .flatMap(each -> each)
                        .toList()));
    }

    @TestFactory
    @Tag("soak")
    @Timeout(7200)
    Stream<DynamicNode> faultsOfTheClusterLoseNothing() {
        return on(cluster -> cluster.run(
                names(KubernetesFaultsKit.class, KubernetesPoolKit.class).toList(),
                List.of("-D" + KitRun.SOAK + "=true", "-Xmx1200m")));
    }

    private static Stream<String> groups(List<String> names) {
        return names.stream()
                .map(name -> KubernetesKit.class.getName() + "/" + BackendTck.class.getName() + "$" + name);
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
