// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.fiber.tck.cluster.KitResult;
import io.fiber.tck.cluster.KitRun;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
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

    /** Runs test classes, as {@link KitRun} takes them, in a JVM beside the containers and returns what became of each test. */
    List<DynamicNode> run(List<String> tests, List<String> options) {
        try {
            Path own = Files.createTempDirectory("fiber-docker-tests");
            try {
                return results(words(own, tests, options));
            } finally {
                remove(own);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<String> words(Path own, List<String> tests, List<String> options) {
        List<String> words = new ArrayList<>(List.of(
                "nsenter",
                "--net=" + namespace,
                Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        words.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC", "-Djava.io.tmpdir=" + own));
        words.addAll(options);
        words.addAll(List.of("--add-exports", "java.base/jdk.internal.misc=ALL-UNNAMED"));
        words.addAll(List.of("-cp", System.getProperty("java.class.path"), KitRun.class.getName()));
        words.addAll(tests);
        return words;
    }

    private List<DynamicNode> results(List<String> words) throws IOException {
        List<DynamicNode> results = new ArrayList<>();
        ProcessBuilder builder = new ProcessBuilder(words).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().put("DOCKER_HOST", "unix://" + state.resolve("docker.sock"));
        builder.environment().put("DOCKER_CONFIG", state.resolve("config").toString());
        Process process = builder.start();
        process.getOutputStream().close();
        try (Silence silence = new Silence(process);
                BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                Optional<KitResult> result = KitResult.read(line);
                if (result.isPresent()) {
                    silence.isBroken();
                    results.add(result.get().retold());
                } else if (silence.isOver()) {
                    System.err.println(line);
                }
            }
            int code = process.waitFor();
            if (code != 0 || results.isEmpty()) {
                int count = results.size();
                String why = silence.isOver() ? ", for nothing had come of it in " + Silence.LIMIT : "";
                results.add(dynamicTest(
                        "the JVM beside the containers",
                        () -> fail("It ended with " + code + " after " + count + " tests" + why + ".")));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            process.destroyForcibly();
        }
        return results;
    }

    private static void remove(Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file :
                    files.sorted((left, right) -> right.compareTo(left)).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
