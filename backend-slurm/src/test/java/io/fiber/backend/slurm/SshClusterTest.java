// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;

/**
 * Runs the tests that reach a cluster by way of its login node, which {@code dev/slurm/up} starts with the cluster: errors
 * and sessions on one cluster, and at the same time programs of a workstation on the other, so that it takes half as long.
 */
class SshClusterTest {

    @TestFactory
    @Tag("cluster")
    @Timeout(3600)
    Stream<DynamicNode> clusterIsUsedOverSsh() {
        boolean alone = clusters().size() == 1;
        return TestCluster.onAll(
                clusters(),
                cluster -> alone
                        ? all(cluster)
                        : cluster.mode().equals("simple") ? ofTheUser(cluster) : ofAWorkstation(cluster));
    }

    /** The other half of what was divided. */
    @TestFactory
    @Tag("soak")
    @Timeout(3600)
    Stream<DynamicNode> otherClusterIsUsedOverSshToo() {
        return TestCluster.onAll(
                clusters(), cluster -> cluster.mode().equals("simple") ? ofAWorkstation(cluster) : ofTheUser(cluster));
    }

    /** The same over the program {@code ssh}. */
    @TestFactory
    @Tag("soak")
    @Timeout(3600)
    Stream<DynamicNode> clusterIsUsedOverTheProgram() {
        List<TestCluster> all =
                clusters().stream().map(cluster -> cluster.overSshBy("program")).toList();
        return TestCluster.onAll(all, SshClusterTest::all);
    }

    /** All that the backend, queues, pipes, managers and rings promise, to a program on a workstation. Takes minutes. */
    @TestFactory
    @Tag("soak")
    @Timeout(3600)
    Stream<DynamicNode> contractIsKeptOverSsh() {
        return TestCluster.onAll(clusters(), cluster -> {
            List<DynamicNode> results = new ArrayList<>(cluster.runOutside(List.of(SshKit.class)));
            results.addAll(cluster.runOnWorkstation(List.of(SshObjectsKit.class)));
            return results;
        });
    }

    private static List<DynamicNode> all(TestCluster cluster) {
        List<DynamicNode> all = new ArrayList<>(ofTheUser(cluster));
        all.addAll(ofAWorkstation(cluster));
        return all;
    }

    private static List<DynamicNode> ofTheUser(TestCluster cluster) {
        return cluster.run(List.of(SshErrorsKit.class, SshHabitsKit.class, SshSilenceKit.class, SshSessionKit.class));
    }

    private static List<DynamicNode> ofAWorkstation(TestCluster cluster) {
        return cluster.runOnWorkstation(List.of(SshExampleKit.class, SshPoolKit.class));
    }

    private static List<TestCluster> clusters() {
        return TestCluster.all().stream()
                .filter(cluster -> Files.exists(cluster.configuration().resolveSibling("ssh/sshd.pid")))
                .toList();
    }
}
