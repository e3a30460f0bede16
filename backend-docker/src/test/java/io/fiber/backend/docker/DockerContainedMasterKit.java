// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.dockerjava.api.command.CreateContainerCmd;
import com.github.dockerjava.api.command.InspectContainerResponse.ContainerState;
import com.github.dockerjava.api.model.Bind;
import com.github.dockerjava.api.model.HostConfig;
import io.fiber.Fiber;
import io.fiber.Pool;
import io.fiber.spi.backend.JobOutput;
import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The program is itself a container, beside those of its workers. {@link DockerEngineTest} runs it beside a real engine. */
class DockerContainedMasterKit {

    private static final Duration LIMIT = Duration.ofMinutes(2);

    @AfterEach
    void nothingIsLeft() {
        DockerFixture.assertNothingLeft();
    }

    /** The program. */
    static final class Master {
        private Master() {}

        public static void main(String[] arguments) {
            try (Fiber fiber = KitFiber.builder().open();
                    Pool pool = fiber.pool(2)) {
                int sum = pool.map(DockerPoolKit::slow, IntStream.range(0, 200)).stream()
                        .mapToInt(each -> each)
                        .sum();
                System.out.println("sum " + sum + ", " + pool.apply(DockerPoolKit::sum, new byte[60_000]));
            }
        }
    }

    private static List<Bind> binds() {
        List<Bind> binds = new ArrayList<>(List.of(Bind.parse(DockerFixture.socket() + ":/var/run/docker.sock")));
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            String path = Path.of(entry).toAbsolutePath().normalize().toString();
            binds.add(Bind.parse(path + ":" + path + ":ro"));
        }
        return binds.stream().distinct().toList();
    }

    private static CreateContainerCmd described(CreateContainerCmd create) {
        String classPath = String.join(
                ":",
                Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                        .map(entry ->
                                Path.of(entry).toAbsolutePath().normalize().toString())
                        .toList());
        return create.withEntrypoint("java")
                .withCmd(
                        "-Xmx128m",
                        "-XX:+UseSerialGC",
                        "--add-exports",
                        "java.base/jdk.internal.misc=ALL-UNNAMED",
                        "-cp",
                        classPath,
                        Master.class.getName())
                .withHostConfig(HostConfig.newHostConfig()
                        .withNetworkMode(TestEngine.NETWORK)
                        .withBinds(binds()));
    }

    @Test
    void programInAContainerWithDockersSocketHasContainersAsWorkers() {
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
                ContainerState end = engine.inspect(id).getState();
                List<String> lines = JobText.of(
                                new JobText.Author(engine, id, "master"), new JobOutput.None(), (delayNs, action) -> {
                                    throw new AssertionError("Nobody reads along.");
                                })
                        .last(50);

                assertThat(end.getExitCodeLong()).as(lines.toString()).isZero();
                assertThat(lines).contains("sum 19900, 0");
            } finally {
                engine.remove(id);
            }
        }
    }
}
