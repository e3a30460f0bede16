// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import static java.util.Objects.requireNonNull;

import io.fiber.tck.cluster.KitJvm;
import io.fiber.tck.cluster.KitRun;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;

/**
 * Runs the tests that need a cluster, as an unprivileged user of each cluster that {@code dev/slurm/up} has started, in a
 * JVM of their own.
 */
class SlurmClusterTest {

    /** What is tested on one of the clusters while the other has its share, so that it takes half as long. */
    private static final Map<String, Share> SHARES = Map.of(
            "simple",
            new Share(
                    List.of(SlurmSubmissionKit.class, SlurmOutageKit.class),
                    List.of(
                            SlurmExampleKit.class,
                            SlurmLimitsKit.class,
                            SlurmDrainKit.class,
                            SlurmFaultsKit.class,
                            SlurmStepsKit.class)),
            "namespaces",
            new Share(
                    List.of(SlurmPoolKit.class, SlurmKit.class),
                    // Only what lets nothing run beside it.
                    List.of(SlurmKit.class)));

    /**
     * A part of the tests.
     *
     * @param together those that may run beside others; of them, some wait for most of a minute
     * @param alone those of which some take all nodes
     */
    private record Share(List<Class<?>> together, List<Class<?>> alone) {
        List<DynamicNode> on(TestCluster cluster) {
            List<DynamicNode> results = new ArrayList<>(KitJvm.runTogether(List.of(
                    () -> cluster.run(together, KitRun.Part.WORKING),
                    () -> cluster.run(together, KitRun.Part.WAITING))));
            results.addAll(cluster.run(alone, KitRun.Part.ALONE));
            return results;
        }

        Share and(Share other) {
            return new Share(both(together, other.together), both(alone, other.alone));
        }

        private static List<Class<?>> both(List<Class<?>> some, List<Class<?>> others) {
            return Stream.concat(some.stream(), others.stream()).toList();
        }
    }

    @TestFactory
    @Tag("cluster")
    @Timeout(3600)
    Stream<DynamicNode> contractIsKeptOnARealCluster() {
        List<TestCluster> clusters = TestCluster.all();
        return TestCluster.onAll(
                clusters,
                cluster -> clusters.size() == 1
                        ? share(cluster).and(rest(cluster)).on(cluster)
                        : share(cluster).on(cluster));
    }

    /** Sites differ in what they allow and how they share out nodes. */
    @TestFactory
    @Tag("cluster")
    @Timeout(1800)
    Stream<DynamicNode> programsRunAtASiteOfOtherHabits() {
        return TestCluster.onAll(
                TestCluster.up("site"), cluster -> cluster.run(List.of(SlurmSiteKit.class), KitRun.Part.GATE));
    }

    @TestFactory
    @Tag("soak")
    @Timeout(1800)
    Stream<DynamicNode> slowControllerOfASiteIsAwaited() {
        return TestCluster.onAll(
                TestCluster.up("site"), cluster -> cluster.run(List.of(SlurmSiteKit.class), KitRun.Part.SOAK));
    }

    /** Time limits, and times after which a requeued job may start again, last a minute or so. */
    @TestFactory
    @Tag("soak")
    @Timeout(3600)
    Stream<DynamicNode> programsAreStartedAgain() {
        return TestCluster.onAll(
                TestCluster.up("simple"),
                cluster -> KitJvm.runTogether(List.of(
                        () -> cluster.run(List.of(SlurmRestartsKit.class), KitRun.Part.GATE),
                        () -> cluster.run(List.of(SlurmRestartsKit.class, SlurmExampleKit.class), KitRun.Part.SOAK))));
    }

    /** What each cluster has left to the other. */
    @TestFactory
    @Tag("soak")
    @Timeout(7200)
    Stream<DynamicNode> contractIsKeptOnTheOtherClusterToo() {
        return TestCluster.onAll(TestCluster.all(), cluster -> rest(cluster).on(cluster));
    }

    private static Share share(TestCluster cluster) {
        return requireNonNull(SHARES.get(cluster.mode()));
    }

    private static Share rest(TestCluster cluster) {
        return SHARES.entrySet().stream()
                .filter(share -> !share.getKey().equals(cluster.mode()))
                .map(Map.Entry::getValue)
                .reduce(Share::and)
                .orElseThrow();
    }

    @TestFactory
    @Tag("soak")
    @Timeout(7200)
    Stream<DynamicNode> queuesPipesManagersAndRingsWorkBetweenJobs() {
        return TestCluster.onAll(TestCluster.all(), cluster -> cluster.run(List.of(SlurmObjectsKit.class)));
    }

    @TestFactory
    @Tag("soak")
    @Timeout(3600)
    Stream<DynamicNode> whatEndsItsWorkersEndsFewJobs() {
        return TestCluster.onAll(TestCluster.all(), cluster -> cluster.run(List.of(SlurmWorkerKillersKit.class)));
    }

    /** All that the backend, queues, pipes, managers and rings promise, to a program that is a job with room for others. */
    @TestFactory
    @Tag("soak")
    @Timeout(7200)
    Stream<DynamicNode> contractIsKeptInsideAnAllocation() {
        return TestCluster.onAll(
                TestCluster.all(), cluster -> cluster.runInside(List.of(StepsKit.class, StepsObjectsKit.class)));
    }

    /** Each lasts a minute or so, and some take the controller or a node away. */
    @TestFactory
    @Tag("soak")
    @Timeout(7200)
    Stream<DynamicNode> faultsAreSurvived() {
        return TestCluster.onAll(
                TestCluster.all(),
                cluster -> cluster.run(
                        List.of(SlurmFaultsKit.class, SlurmLimitsKit.class, SlurmDrainKit.class, SlurmStepsKit.class),
                        KitRun.Part.SOAK));
    }

    @TestFactory
    @Tag("soak")
    @Timeout(3600)
    Stream<DynamicNode> accountsOfTheSiteAreReadAndItsLimitsAreKept() {
        return TestCluster.onAll(
                TestCluster.up("accounting"),
                cluster -> cluster.run(
                        List.of(SlurmBooksKit.class, SlurmAccountsKit.class, SlurmClustersKit.class),
                        KitRun.Part.SOAK));
    }

    /** On one cluster only: two would take time from each other. */
    @TestFactory
    @Tag("soak")
    @Timeout(3600)
    Stream<DynamicNode> figuresAreTaken() {
        return TestCluster.onAll(
                TestCluster.all().stream().limit(1).toList(),
                cluster -> cluster.run(List.of(SlurmFiguresKit.class), KitRun.Part.SOAK));
    }
}
