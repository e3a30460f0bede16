// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.fiber.tck.cluster.KitRun;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;

/**
 * Runs the tests that need an engine, on the one that {@code dev/docker/up} has started, in a JVM beside its containers: a
 * program on Docker's host.
 */
class DockerEngineTest {

    @TestFactory
    @Tag("cluster")
    @Timeout(3600)
    Stream<DynamicNode> contractIsKeptOnARealEngine() {
        return on(List.of(
                DockerKit.class,
                DockerFaultsKit.class,
                DockerClassPathKit.class,
                DockerPreviewKit.class,
                DockerOutputKit.class,
                DockerNamelessUserKit.class,
                DockerTlsKit.class));
    }

    @TestFactory
    @Tag("soak")
    @Timeout(7200)
    Stream<DynamicNode> poolsWorkInContainers() {
        return on(List.of(DockerPoolKit.class, DockerWorkerKillersKit.class, DockerContainedMasterKit.class));
    }

    @TestFactory
    @Tag("soak")
    @Timeout(7200)
    Stream<DynamicNode> queuesPipesManagersAndRingsWorkBetweenContainers() {
        return on(List.of(DockerObjectsKit.class));
    }

    @TestFactory
    @Tag("soak")
    @Timeout(7200)
    Stream<DynamicNode> outagesOfTheEngineAreOutlived() {
        return on(List.of(DockerOutputKit.class, DockerOutageKit.class), KitRun.Part.SOAK.option());
    }

    @TestFactory
    @Tag("soak")
    @Timeout(7200)
    Stream<DynamicNode> largeMessagesPass() {
        return on(List.of(DockerPoolKit.class), KitRun.Part.SOAK.option(), "-Xmx1200m");
    }

    private static Stream<DynamicNode> on(List<Class<?>> tests, String... options) {
        Optional<TestEngine> engine = TestEngine.find();
        return engine.isEmpty()
                ? Stream.of(dynamicTest("an engine", () -> abort(TestEngine.MISSING)))
                : engine.get().run(tests, List.of(options)).stream();
    }
}
