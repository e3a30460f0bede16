// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.nio.file.Files;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;

/** Runs the tests that reach a cluster by way of its login node, which {@code dev/slurm/up} starts with the cluster. */
class SshClusterTest {

    @TestFactory
    @Timeout(3600)
    Stream<DynamicNode> programOnAWorkstationUsesTheCluster() {
        return onEach(cluster -> cluster.runOnWorkstation(List.of(SshPoolKit.class)));
    }

    @TestFactory
    @Timeout(3600)
    Stream<DynamicNode> whatIsWrongWithALoginNodeIsSaidAndSurvived() {
        return onEach(cluster -> cluster.run(List.of(SshErrorsKit.class, SshSessionKit.class)));
    }

    @TestFactory
    @Tag("soak")
    @Timeout(3600)
    Stream<DynamicNode> contractIsKeptOverSsh() {
        return onEach(cluster -> cluster.run(List.of(SshKit.class)));
    }

    private static Stream<DynamicNode> onEach(Function<TestCluster, List<DynamicNode>> run) {
        List<TestCluster> clusters = TestCluster.all().stream()
                .filter(cluster -> Files.exists(cluster.configuration().resolveSibling("ssh/sshd.pid")))
                .toList();
        return clusters.isEmpty()
                ? Stream.of(dynamicTest("a cluster", () -> abort(TestCluster.MISSING)))
                : clusters.stream().flatMap(cluster -> run.apply(cluster).stream());
    }
}
