// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
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

    private static final List<Class<?>> EVERYWHERE =
            List.of(SlurmPoolKit.class, SlurmSubmissionKit.class, SlurmOutageKit.class, SlurmKit.class);

    /** Each on one of the clusters, which are tested at the same time, so that it takes half as long. */
    private static final Map<String, List<Class<?>>> DIVIDED = Map.of(
            "simple",
            List.of(SlurmExampleKit.class, SlurmQueueKit.class, SlurmManagerKit.class, SlurmDrainKit.class),
            "namespaces",
            List.of(
                    SlurmFaultsKit.class,
                    SlurmLimitsKit.class,
                    SlurmStepsKit.class,
                    SlurmPipeKit.class,
                    SlurmRingKit.class,
                    // Of this one only what lets nothing run beside it.
                    SlurmKit.class));

    @TestFactory
    @Timeout(3600)
    Stream<DynamicNode> contractIsKeptOnARealCluster() {
        List<TestCluster> clusters = TestCluster.all();
        return onAll(clusters, cluster -> {
            List<DynamicNode> results = new ArrayList<>();
            CompletableFuture<List<DynamicNode>> waiting =
                    CompletableFuture.supplyAsync(() -> cluster.run(EVERYWHERE, KitRun.Part.WAITING));
            results.addAll(cluster.run(EVERYWHERE, KitRun.Part.WORKING));
            results.addAll(waiting.join());
            // Only now: some of these take all nodes.
            results.addAll(cluster.run(
                    List.copyOf(clusters.size() == 1 ? divided() : requireNonNull(DIVIDED.get(cluster.mode()))),
                    KitRun.Part.ALONE));
            return results;
        });
    }

    /** The other half of what was divided. */
    @TestFactory
    @Tag("soak")
    @Timeout(7200)
    Stream<DynamicNode> contractIsKeptOnTheOtherClusterToo() {
        return onAll(TestCluster.all(), cluster -> {
            Set<Class<?>> tests = divided();
            tests.removeAll(requireNonNull(DIVIDED.get(cluster.mode())));
            return cluster.run(List.copyOf(tests), KitRun.Part.ALONE);
        });
    }

    /** Each lasts a minute or so, and some take the controller or a node away. */
    @TestFactory
    @Tag("soak")
    @Timeout(7200)
    Stream<DynamicNode> faultsAreSurvived() {
        return onAll(
                TestCluster.all(),
                cluster -> cluster.run(
                        List.of(SlurmFaultsKit.class, SlurmLimitsKit.class, SlurmDrainKit.class, SlurmBooksKit.class),
                        KitRun.Part.SOAK));
    }

    /** On one cluster only: two would take time from each other. */
    @TestFactory
    @Tag("soak")
    @Timeout(3600)
    Stream<DynamicNode> figuresAreTaken() {
        return onAll(
                TestCluster.all().stream().limit(1).toList(),
                cluster -> cluster.run(List.of(SlurmFiguresKit.class), KitRun.Part.SOAK));
    }

    private static Set<Class<?>> divided() {
        Set<Class<?>> all = new LinkedHashSet<>();
        DIVIDED.values().forEach(all::addAll);
        return all;
    }

    private static Stream<DynamicNode> onAll(
            List<TestCluster> clusters, Function<TestCluster, List<DynamicNode>> tests) {
        if (clusters.isEmpty()) {
            return Stream.of(dynamicTest("a cluster", () -> abort(TestCluster.MISSING)));
        }
        List<CompletableFuture<List<DynamicNode>>> runs = new ArrayList<>();
        clusters.forEach(cluster -> runs.add(CompletableFuture.supplyAsync(() -> tests.apply(cluster))));
        return runs.stream().flatMap(run -> run.join().stream());
    }
}
