// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import io.fiber.tck.cluster.KitJvm;
import io.fiber.tck.host.FixtureDirectory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DynamicNode;

/**
 * The engine that {@code dev/docker/up} has started.
 *
 * @param state where its files are
 * @param namespace the network namespace that it lives in
 */
record TestEngine(Path state, Path namespace) {

    static final String IMAGE = "fiber-test:jre";
    static final String BARE_IMAGE = "fiber-test:bare";
    static final String NETWORK = "fiber";

    /** Longer than the kit gives any test. */
    private static final Duration SILENCE_LIMIT = Duration.ofMinutes(15);

    static final String MISSING =
            "No engine of dev/docker/up is up; as root: dev/docker/up. These tests must run as root, too: they enter the"
                    + " engine's network namespace.";

    /** Returns the engine when all of it is up and can be used by this process. */
    static Optional<TestEngine> find() {
        String number = Optional.ofNullable(System.getenv("TEST_DOCKER_NUMBER"))
                .filter(digit -> !digit.equals("0"))
                .orElse("");
        Path state = Path.of(
                Optional.ofNullable(System.getenv("TEST_DOCKER_STATE")).orElse("/var/tmp/fiber-docker" + number));
        TestEngine engine = new TestEngine(state, Path.of("/run/netns/fiber-docker" + number));
        return "root".equals(System.getProperty("user.name")) && Files.exists(state.resolve("env.sh"))
                ? Optional.of(engine)
                : Optional.empty();
    }

    /** Runs test classes in a JVM beside the containers and returns what became of each test. */
    List<DynamicNode> run(List<Class<?>> tests, List<String> options) {
        try (FixtureDirectory own = FixtureDirectory.open()) {
            List<String> words = new ArrayList<>(List.of("nsenter", "--net=" + namespace));
            words.addAll(
                    KitJvm.command(own.path(), options, System.getProperty("java.class.path"), KitJvm.names(tests)));
            ProcessBuilder builder = new ProcessBuilder(words);
            builder.environment().put("DOCKER_HOST", "unix://" + state.resolve("docker.sock"));
            builder.environment().put("DOCKER_CONFIG", state.resolve("config").toString());
            return KitJvm.run(builder, "", SILENCE_LIMIT);
        }
    }
}
