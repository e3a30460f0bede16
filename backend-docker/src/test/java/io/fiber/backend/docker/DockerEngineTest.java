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
        return on(Part.of(names(
                DockerKit.class,
                DockerFaultsKit.class,
                DockerClassPathKit.class,
                DockerPreviewKit.class,
                DockerOutputKit.class)));
    }

    @TestFactory
    @Tag("soak")
    @Timeout(7200)
    Stream<DynamicNode> poolsWorkInContainers() {
        return on(Part.of(names(DockerPoolKit.class, DockerContainedMasterKit.class)));
    }

    @TestFactory
    @Tag("soak")
    @Timeout(7200)
    Stream<DynamicNode> queuesAndPipesWorkBetweenContainers() {
        return on(Part.of(names(DockerQueueKit.class, DockerPipeKit.class)));
    }

    @TestFactory
    @Tag("soak")
    @Timeout(7200)
    Stream<DynamicNode> managersAndRingsWorkBetweenContainers() {
        return on(Part.of(names(DockerManagerKit.class, DockerRingKit.class)));
    }

    @TestFactory
    @Tag("soak")
    @Timeout(7200)
    Stream<DynamicNode> outagesOfTheEngineAreOutlived() {
        return on(Part.of(names(DockerOutputKit.class, DockerOutageKit.class)).with(KitRun.Part.SOAK.option()));
    }

    @TestFactory
    @Tag("soak")
    @Timeout(7200)
    Stream<DynamicNode> largeMessagesPass() {
        return on(Part.of(names(DockerPoolKit.class)).with(KitRun.Part.SOAK.option(), "-Xmx1200m"));
    }

    /**
     * What one JVM beside the containers runs.
     *
     * @param tests as {@link KitRun} takes them
     * @param options of the JVM
     */
    private record Part(List<String> tests, List<String> options) {
        static Part of(Stream<String> tests) {
            return new Part(tests.toList(), List.of());
        }

        Part with(String... more) {
            return new Part(tests, List.of(more));
        }
    }

    private static Stream<String> names(Class<?>... tests) {
        return Stream.of(tests).map(Class::getName);
    }

    private static Stream<DynamicNode> on(Part part) {
        Optional<TestEngine> engine = TestEngine.find();
        return engine.isEmpty()
                ? Stream.of(dynamicTest("an engine", () -> abort(TestEngine.MISSING)))
                : engine.get().run(part.tests(), part.options()).stream();
    }
}
