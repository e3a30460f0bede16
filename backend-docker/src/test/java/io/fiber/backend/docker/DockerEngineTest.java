// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.fiber.tck.BackendTck;
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

    /** Groups of the contract that are part of every test run; a container is easiest to get wrong there. */
    private static final List<String> GROUPS = List.of("Submission", "Bootstrap");

    private static final List<String> OTHER_GROUPS =
            List.of("Provider", "Cancellation", "Events", "Capabilities", "Logs", "Close", "Orphans");

    @TestFactory
    @Timeout(3600)
    Stream<DynamicNode> contractIsKeptOnARealEngine() {
        return on(Stream.concat(groups(GROUPS), names(DockerFaultsKit.class)), List.of());
    }

    @TestFactory
    @Tag("soak")
    @Timeout(7200)
    Stream<DynamicNode> restOfTheContractIsKeptToo() {
        return on(
                Stream.concat(
                        groups(OTHER_GROUPS),
                        names(
                                DockerPoolKit.class,
                                DockerQueueKit.class,
                                DockerPipeKit.class,
                                DockerManagerKit.class,
                                DockerRingKit.class)),
                List.of());
    }

    @TestFactory
    @Tag("soak")
    @Timeout(7200)
    Stream<DynamicNode> largeMessagesPass() {
        return on(names(DockerPoolKit.class), List.of("-D" + KitRun.SOAK + "=true", "-Xmx1200m"));
    }

    private static Stream<String> groups(List<String> names) {
        return names.stream().map(name -> DockerKit.class.getName() + "/" + BackendTck.class.getName() + "$" + name);
    }

    private static Stream<String> names(Class<?>... tests) {
        return Stream.of(tests).map(Class::getName);
    }

    private static Stream<DynamicNode> on(Stream<String> tests, List<String> options) {
        Optional<TestEngine> engine = TestEngine.find();
        return engine.isEmpty()
                ? Stream.of(dynamicTest("an engine", () -> abort(TestEngine.MISSING)))
                : engine.get().run(tests.toList(), options).stream();
    }
}
