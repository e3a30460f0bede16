// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.gridengine;

import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.fiber.tck.cluster.KitJvm;
import io.fiber.tck.cluster.KitRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;

/** Runs the tests that need Grid Engine, as the user of the cell that {@code dev/gridengine/up} has started. */
class GridEngineClusterTest {

    private static final String USER =
            Optional.ofNullable(System.getenv("TEST_GRIDENGINE_USER")).orElse("fiber-gridengine");
    private static final Path VARIABLES = Path.of(
                    Optional.ofNullable(System.getenv("TEST_GRIDENGINE_STATE")).orElse("/var/tmp/fiber-gridengine"))
            .resolve("env.sh");
    private static final Duration SILENCE_LIMIT = Duration.ofMinutes(15);

    @TestFactory
    @Tag("cluster")
    @Timeout(3600)
    Stream<DynamicNode> contractIsKept() {
        if (Files.notExists(VARIABLES) || !"root".equals(System.getProperty("user.name"))) {
            return Stream.of(dynamicTest(
                    "a cell", () -> abort("No Grid Engine is up; as root: dev/gridengine/up. Run this as root, too.")));
        }
        Path own = Path.of(asUser("mktemp", "-d", "/var/tmp/fiber-gridengine-tests-XXXXXX"));
        try {
            String classPath = KitJvm.copyClassPath(own.resolve("lib"));
            List<DynamicNode> results = new ArrayList<>(KitJvm.runTogether(List.of(
                    () -> run(own, classPath, KitRun.Part.WORKING, GridEngineKit.class),
                    () -> run(own, classPath, KitRun.Part.WAITING, GridEngineKit.class),
                    () -> run(own, classPath, KitRun.Part.GATE, GridEngineObjectsKit.class))));
            // These look at the whole queue.
            results.addAll(run(own, classPath, KitRun.Part.ALONE, GridEngineKit.class, GridEnginePoolKit.class));
            return results.stream();
        } finally {
            Cell.run("rm", "-rf", own.toString());
        }
    }

    private static String asUser(String... words) {
        return Cell.run(Stream.concat(Stream.of("runuser", "-u", USER, "--"), Stream.of(words))
                        .toArray(String[]::new))
                .strip();
    }

    private static List<DynamicNode> run(Path own, String classPath, KitRun.Part part, Class<?>... tests) {
        Path directory = Path.of(asUser("mktemp", "-d", own + "/run-XXXXXX"));
        List<String> words = new ArrayList<>(List.of("runuser", "-u", USER, "--", "env", "-C", directory.toString()));
        words.addAll(List.of("-u", "LC_ALL", "LANG=C.UTF-8", "HOME=" + directory));
        words.addAll(List.of("bash", "-c", "source \"$0\" && exec \"$@\"", VARIABLES.toString()));
        List<String> options = List.of(part.option(), "-Duser.home=" + directory);
        words.addAll(KitJvm.command(directory, options, classPath, KitJvm.names(List.of(tests))));
        return KitJvm.run(new ProcessBuilder(words), "", SILENCE_LIMIT);
    }
}
