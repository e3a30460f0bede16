// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.dockerjava.api.command.CreateContainerCmd;
import com.github.dockerjava.api.command.InspectContainerResponse.ContainerState;
import com.github.dockerjava.api.model.Bind;
import com.github.dockerjava.api.model.HostConfig;
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

/** A container whose program opens sessions: it has this JVM's class path, and Docker's socket. */
final class MasterContainer {

    private static final Duration LIMIT = Duration.ofMinutes(4);
    /** Where the program starts, and may write. */
    private static final String HERE = "/here";

    private MasterContainer() {}

    /** Runs a program as a user, by number, until it has ended well, and returns the last lines that it wrote. */
    static List<String> run(Class<?> main, int user) {
        try (Engine engine = DockerFixture.engine()) {
            String id = engine.ask(docker -> {
                try (CreateContainerCmd create = docker.createContainerCmd(TestEngine.IMAGE)) {
                    return described(create, main, user).exec().getId();
                }
            });
            try {
                engine.start(id);
                await().atMost(LIMIT)
                        .until(() -> !Boolean.TRUE.equals(
                                engine.inspect(id).getState().getRunning()));
                ContainerState end = engine.inspect(id).getState();
                List<String> lines = JobText.of(
                                new JobText.Author(engine, id, "master"), new JobOutput.None(), (delayNs, action) -> {
                                    throw new AssertionError("Nothing reads along.");
                                })
                        .last(50);
                assertThat(end.getExitCodeLong()).as(lines.toString()).isZero();
                return lines;
            } finally {
                engine.remove(id);
            }
        }
    }

    private static CreateContainerCmd described(CreateContainerCmd create, Class<?> main, int user) {
        List<Bind> binds = new ArrayList<>(List.of(Bind.parse(DockerFixture.socket() + ":/var/run/docker.sock")));
        Map<String, String> inside = classPath();
        inside.forEach((entry, place) -> binds.add(Bind.parse(entry + ":" + place + ":ro")));
        return create.withUser(user + ":" + groupOfSocket())
                .withWorkingDir(HERE)
                .withEntrypoint("java")
                .withCmd(
                        "-Xmx128m",
                        "-XX:+UseSerialGC",
                        "--add-exports",
                        "java.base/jdk.internal.misc=ALL-UNNAMED",
                        "-cp",
                        String.join(":", inside.values()),
                        main.getName())
                .withHostConfig(HostConfig.newHostConfig()
                        .withNetworkMode(TestEngine.NETWORK)
                        .withTmpFs(Map.of("/tmp", "mode=1777", HERE, "mode=1777"))
                        .withBinds(binds));
    }

    /** Returns entries of the class path with their places in the container: a user there cannot enter the directories of root. */
    private static Map<String, String> classPath() {
        Map<String, String> inside = new LinkedHashMap<>();
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .map(entry -> Path.of(entry).toAbsolutePath().normalize())
                .distinct()
                .forEach(
                        entry -> inside.put(entry.toString(), "/program/" + inside.size() + "/" + entry.getFileName()));
        return inside;
    }

    /** Docker lets in members of one group. */
    private static Object groupOfSocket() {
        try {
            return Files.getAttribute(DockerFixture.socket(), "unix:gid");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
