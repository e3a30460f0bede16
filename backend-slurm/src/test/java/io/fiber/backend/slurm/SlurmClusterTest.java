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
            List.of(SlurmPoolKit.class, SlurmSubmissionKit.class, SlurmKit.class);

    /** Each on one of the clusters, which are tested at the same time, so that it takes half as long. */
    private static final Map<String, List<Class<?>>> DIVIDED = Map.of(
            "simple", List.of(SlurmQueueKit.class, SlurmManagerKit.class),
            "namespaces", List.of(SlurmStepsKit.class, SlurmPipeKit.class, SlurmRingKit.class));

    @TestFactory
    @Timeout(3600)
    Stream<DynamicNode> contractIsKeptOnARealCluster() {
        List<TestCluster> clusters = TestCluster.all();
        Set<Class<?>> divided = clusters.size() == 1 ? all() : Set.of();
        return onAll(clusters, mode -> {
            Set<Class<?>> tests = new LinkedHashSet<>(EVERYWHERE);
            tests.addAll(divided);
            tests.addAll(requireNonNull(DIVIDED.get(mode)));
            return tests;
        });
    }

    /** The other half of what was divided. */
    @TestFactory
    @Tag("soak")
    @Timeout(7200)
    Stream<DynamicNode> contractIsKeptOnTheOtherClusterToo() {
        return onAll(TestCluster.all(), mode -> {
            Set<Class<?>> tests = all();
            tests.removeAll(requireNonNull(DIVIDED.get(mode)));
            return tests;
        });
    }

    private static Set<Class<?>> all() {
        Set<Class<?>> all = new LinkedHashSet<>();
        DIVIDED.values().forEach(all::addAll);
        return all;
    }

    private static Stream<DynamicNode> onAll(List<TestCluster> clusters, Function<String, Set<Class<?>>> tests) {
        if (clusters.isEmpty()) {
            return Stream.of(dynamicTest("a cluster", () -> abort(TestCluster.MISSING)));
        }
        List<CompletableFuture<List<DynamicNode>>> runs = new ArrayList<>();
        clusters.forEach(cluster ->
                runs.add(CompletableFuture.supplyAsync(() -> cluster.run(List.copyOf(tests.apply(cluster.mode()))))));
        return runs.stream().flatMap(run -> run.join().stream());
    }
}
