// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.gridengine;

import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.fiber.tck.cluster.KitJvm;
import io.fiber.tck.cluster.KitRun;
import io.fiber.tck.host.FixtureDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;

/** Runs the tests that need Grid Engine, in a JVM with the variables of the cell that {@code dev/gridengine/up} has started. */
class GridEngineClusterTest {

    private static final Path STATE =
            Path.of(Optional.ofNullable(System.getenv("TEST_GRIDENGINE_STATE")).orElse("/var/tmp/fiber-gridengine"));

    private static final Pattern VARIABLE = Pattern.compile("(SGE_\\w+)=(\\S+)");
    private static final Duration SILENCE_LIMIT = Duration.ofMinutes(15);

    @TestFactory
    @Tag("cluster")
    @Timeout(3600)
    Stream<DynamicNode> contractIsKept() throws IOException {
        return run(KitRun.Part.GATE, List.of(GridEngineKit.class, GridEnginePoolKit.class, GridEngineObjectsKit.class))
                .stream();
    }

    private static List<DynamicNode> run(KitRun.Part part, List<Class<?>> tests) throws IOException {
        Path variables = STATE.resolve("env.sh");
        if (Files.notExists(variables) || !"root".equals(System.getProperty("user.name"))) {
            return List.of(dynamicTest(
                    "a cell", () -> abort("No Grid Engine is up; as root: dev/gridengine/up. Run this as root, too.")));
        }
        try (FixtureDirectory own = FixtureDirectory.openIn(Path.of("/var/tmp"))) {
            ProcessBuilder builder = new ProcessBuilder(KitJvm.command(
                    own.path(),
                    List.of(part.option(), "-Duser.home=" + own.path()),
                    System.getProperty("java.class.path"),
                    KitJvm.names(tests)));
            VARIABLE.matcher(Files.readString(variables))
                    .results()
                    .forEach(each -> builder.environment().put(each.group(1), each.group(2)));
            return KitJvm.run(builder, "", SILENCE_LIMIT);
        }
    }
}
