// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.fiber.tck.backend.BackendTck;
import io.fiber.tck.cluster.KitJvm;
import io.fiber.tck.cluster.KitRun;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;

/**
 * Runs the tests that need a cluster, on the one that {@code dev/kubernetes/up} has started: in a JVM beside its pods, a
 * program outside of the cluster, and in a pod.
 */
class KubernetesClusterTest {

    private static final String[] LONG = {KitRun.Part.SOAK.option(), "-Xmx1200m"};

    /** Groups of the contract's clauses that take as long as all others together. */
    private static final Set<String> HALF = Set.of("Events", "Close", "Bootstrap");

    /** They wait for the ends of pods. */
    private static final String RUNS = "Detached";

    /** They wait for pods more than they compute, so all parts run beside each other. */
    @TestFactory
    @Tag("cluster")
    @Timeout(3600)
    Stream<DynamicNode> contractIsKeptOnARealClusterAndAPodHasWorkersOfItsOwn() {
        return on(cluster -> KitJvm.runTogether(List.of(
                () -> cluster.runApart("kit-half", groups(HALF::contains), KitRun.Part.WORKING),
                () -> cluster.runApart("kit-runs", groups(RUNS::equals), KitRun.Part.WORKING),
                () -> cluster.runApart(
                        "kit-rest", groups(group -> !HALF.contains(group) && !group.equals(RUNS)), KitRun.Part.WORKING),
                () -> cluster.runApart(
                        "kit-waiting",
                        KitJvm.names(
                                List.of(KubernetesKit.class, KubernetesLogsKit.class, KubernetesRestartsKit.class)),
                        KitRun.Part.WAITING),
                () -> cluster.runApart(
                        "kit-alone",
                        KitJvm.names(List.of(
                                KubernetesKit.class,
                                KubernetesJobsKit.class,
                                KubernetesRefusalsKit.class,
                                KubernetesAccessKit.class)),
                        KitRun.Part.ALONE),
                () -> cluster.runInPod(List.of(KubernetesInsideKit.class), List.of()))));
    }

    private static List<String> groups(Predicate<String> isChosen) {
        return Arrays.stream(BackendTck.class.getDeclaredClasses())
                .filter(group -> group.isAnnotationPresent(Nested.class) && isChosen.test(group.getSimpleName()))
                .map(group -> KubernetesKit.class.getName() + "/" + group.getName())
                .toList();
    }

    @TestFactory
    @Tag("soak")
    @Timeout(7200)
    Stream<DynamicNode> poolsQueuesPipesManagersAndRingsWorkBetweenPods() {
        return besidePods(
                List.of(KubernetesPoolKit.class, KubernetesObjectsKit.class, KubernetesWorkerKillersKit.class));
    }

    @TestFactory
    @Tag("soak")
    @Timeout(7200)
    Stream<DynamicNode> contractIsKeptInAPodToo() {
        return inAPod(List.of(KubernetesKit.class));
    }

    @TestFactory
    @Tag("soak")
    @Timeout(7200)
    Stream<DynamicNode> poolsQueuesPipesManagersAndRingsOfAProgramInAPodWork() {
        return inAPod(List.of(KubernetesPoolKit.class, KubernetesObjectsKit.class));
    }

    @TestFactory
    @Tag("soak")
    @Timeout(7200)
    Stream<DynamicNode> longTestsInAPod() {
        return inAPod(List.of(KubernetesInsideKit.class, KubernetesMessagesKit.class), LONG);
    }

    @TestFactory
    @Tag("soak")
    @Timeout(7200)
    Stream<DynamicNode> longTestsBesideThePods() {
        return besidePods(
                List.of(KubernetesImagesKit.class, KubernetesMessagesKit.class, KubernetesManyPodsKit.class), LONG);
    }

    @TestFactory
    @Tag("soak")
    @Timeout(7200)
    Stream<DynamicNode> faultsOfTheClusterLoseNothing() {
        return besidePods(List.of(KubernetesFaultsKit.class), LONG);
    }

    private static Stream<DynamicNode> besidePods(List<Class<?>> tests, String... options) {
        return on(cluster -> cluster.run(tests, List.of(options)));
    }

    private static Stream<DynamicNode> inAPod(List<Class<?>> tests, String... options) {
        return on(cluster -> cluster.runInPod(tests, List.of(options)));
    }

    private static Stream<DynamicNode> on(Function<TestCluster, List<DynamicNode>> run) {
        Optional<TestCluster> cluster = TestCluster.find();
        return cluster.isEmpty()
                ? Stream.of(dynamicTest("a cluster", () -> abort(TestCluster.MISSING)))
                : run.apply(cluster.get()).stream();
    }
}
