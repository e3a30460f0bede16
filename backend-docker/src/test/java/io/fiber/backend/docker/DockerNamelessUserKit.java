// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.dockerjava.api.command.CreateContainerCmd;
import com.github.dockerjava.api.model.Bind;
import com.github.dockerjava.api.model.HostConfig;
import io.fiber.Fiber;
import io.fiber.Pool;
import io.fiber.spi.backend.JobOutput;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A program and its workers as a user that no image knows. {@link DockerEngineTest} runs it beside a real engine. */
class DockerNamelessUserKit {

    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final int USER = 12345;
    /** Where the program starts, and may write. */
    private static final String HERE = "/here";

    @AfterEach
    void nothingIsLeft() {
        DockerFixture.assertNothingLeft();
    }

    /** Returns the user of this process, and what it finds in some directories, apart from what the JVM puts there. */
    static String found(String... directories) throws IOException {
        List<String> found = new ArrayList<>(
                List.of(System.getProperty("user.name"), Files.getAttribute(Path.of("/proc/self"), "unix:uid") + ":"));
        for (String directory : directories) {
            try (Stream<Path> entries = Files.list(Path.of(directory))) {
                entries.map(Path::toString)
                        .filter(entry -> !entry.contains("hsperfdata"))
                        .sorted()
                        .forEach(found::add);
            }
        }
        return String.join(" ", found);
    }

    /** The program. */
    static final class Master {
        private Master() {}

        public static void main(String[] arguments) throws IOException {
            try (Fiber fiber = KitFiber.builder()
                            .set("fiber.docker.user", USER + ":" + USER)
                            .open();
                    Pool pool = fiber.pool(1)) {
                System.out.println("worker " + pool.apply(() -> found("/tmp")));
                System.out.println("master " + found("/tmp", "."));
            }
            System.out.println("after " + found("/tmp", ".", "/dev/shm"));
        }
    }

    private static String absolute(String entry) {
        return Path.of(entry).toAbsolutePath().normalize().toString();
    }

    private static List<String> classPath() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .map(DockerNamelessUserKit::absolute)
                .distinct()
                .toList();
    }

    private static CreateContainerCmd described(CreateContainerCmd create) {
        List<Bind> binds = new ArrayList<>(List.of(Bind.parse(DockerFixture.socket() + ":/var/run/docker.sock")));
        Map<String, String> inside = new LinkedHashMap<>();
        classPath()
                .forEach(entry -> inside.put(
                        entry,
                        "/program/" + inside.size() + "/" + Path.of(entry).getFileName()));
        inside.forEach((entry, place) -> binds.add(Bind.parse(entry + ":" + place + ":ro")));
        return create.withUser(USER + ":" + groupOfSocket())
                .withWorkingDir(HERE)
                .withEntrypoint("java")
                .withCmd(
                        "-Xmx128m",
                        "-XX:+UseSerialGC",
                        "--add-exports",
                        "java.base/jdk.internal.misc=ALL-UNNAMED",
                        "-cp",
                        String.join(":", inside.values()),
                        Master.class.getName())
                .withHostConfig(HostConfig.newHostConfig()
                        .withNetworkMode(TestEngine.NETWORK)
                        .withTmpFs(Map.of("/tmp", "mode=1777", HERE, "mode=1777"))
                        .withBinds(binds));
    }

    /** Docker lets in members of one group. */
    private static Object groupOfSocket() {
        try {
            return Files.getAttribute(DockerFixture.socket(), "unix:gid");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void userWithoutANameOpensSessionsAndLeavesNothingOdd() {
        try (Engine engine = DockerFixture.engine()) {
            String id = engine.ask(docker -> {
                try (CreateContainerCmd create = docker.createContainerCmd(TestEngine.IMAGE)) {
                    return described(create).exec().getId();
                }
            });
            try {
                engine.start(id);
                await().atMost(LIMIT)
                        .until(() -> !Boolean.TRUE.equals(
                                engine.inspect(id).getState().getRunning()));
                List<String> lines = JobText.of(
                                new JobText.Author(engine, id, "master"), new JobOutput.None(), (delayNs, action) -> {
                                    throw new AssertionError("Nobody reads along.");
                                })
                        .last(50);

                assertThat(engine.inspect(id).getState().getExitCodeLong())
                        .as(lines.toString())
                        .isZero();
                assertThat(lines)
                        .filteredOn(line -> line.matches("(worker|master|after) .*"))
                        .containsExactly(
                                "worker ? 12345:",
                                "master ? 12345: /tmp/fiber-12345",
                                "after ? 12345: /tmp/fiber-12345");
            } finally {
                engine.remove(id);
            }
        }
    }
}
