// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;

/**
 * Runs the tests that need a cluster, as an unprivileged user of each cluster that {@code dev/slurm/up} has started, in a
 * JVM of their own.
 */
class SlurmClusterTest {

    private static final List<Class<?>> TESTS = List.of(SlurmPoolKit.class, SlurmSubmissionKit.class, SlurmKit.class);

    @TestFactory
    @Timeout(3600)
    Stream<DynamicNode> contractIsKeptOnARealCluster() {
        List<TestCluster> clusters = TestCluster.all();
        if (clusters.isEmpty()) {
            return Stream.of(dynamicTest("a cluster", () -> abort(TestCluster.MISSING)));
        }
        List<CompletableFuture<List<DynamicNode>>> runs = new ArrayList<>();
        clusters.forEach(cluster -> runs.add(CompletableFuture.supplyAsync(() -> cluster.run(TESTS))));
        return runs.stream().flatMap(run -> run.join().stream());
    }
}
