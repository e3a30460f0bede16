// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fiber.backend.support.SessionLabels;
import io.fiber.spec.Volume;
import io.fiber.spi.Environment;
import io.fiber.spi.Options;
import io.fiber.spi.backend.BackendProvider;
import io.fiber.spi.backend.Capability;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.Program;
import io.fiber.tck.backend.BackendFixture;
import io.fiber.tck.cluster.Gate;
import io.fiber.tck.host.FixtureDirectory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/** A real engine as the kit sees it, behind a gate that can be shut. Public, because a second JVM makes one too. */
public class DockerFixture implements BackendFixture {

    private static final Duration LEFT_LIMIT = Duration.ofMinutes(3);
    private static final String KIT_IN_CONTAINERS = "/kit";

    /** The path of a socket must be short, and a killed JVM's directory for temporary files is inside of another. */
    private final FixtureDirectory directory = FixtureDirectory.openIn(Path.of("/tmp"));

    private final Gate gate = Gate.before(gateSocket(), socket());

    private Path gateSocket() {
        return directory.path().resolve("docker.sock");
    }

    static Path socket() {
        return Path.of(
                requireNonNull(System.getenv(DaemonAddress.HOST_VARIABLE)).substring("unix://".length()));
    }

    /** Returns a way to the engine of this test's own. */
    static Engine engine() {
        return Engine.connect(new DaemonAddress("unix://" + socket(), "", "from a test"));
    }

    @Override
    public String name() {
        return "docker";
    }

    @Override
    public BackendProvider provider() {
        return new DockerBackendProvider();
    }

    @Override
    public Set<Capability> capabilities() {
        return EnumSet.of(
                Capability.LOGS,
                Capability.CONSOLE,
                Capability.CPU_LIMIT,
                Capability.MEMORY_LIMIT,
                Capability.GPU,
                Capability.IMAGE,
                Capability.VOLUMES,
                Capability.LABELS,
                Capability.TIME_LIMIT,
                Capability.WORKING_DIRECTORY);
    }

    @Override
    public JobSpec.Builder javaJob(Class<?> main, String... arguments) {
        return BackendFixture.javaJob(List.of(BackendFixture.placeOf(main)), main, arguments);
    }

    /** No class path is sent for a plain command: the kit's classes are mounted. */
    @Override
    public JobSpec.Builder commandJob(Class<?> main, String... arguments) {
        List<String> words =
                new ArrayList<>(List.of("java", "-XX:+UseSerialGC", "-cp", KIT_IN_CONTAINERS, main.getName()));
        words.addAll(List.of(arguments));
        return JobSpec.builder(new Program.Command(words))
                .volumes(List.of(Volume.of(BackendFixture.placeOf(main), KIT_IN_CONTAINERS)
                        .readOnly()));
    }

    @Override
    public Path directory() {
        return directory.path();
    }

    @Override
    public Duration startLimit() {
        return Duration.ofMinutes(3);
    }

    /** What removes containers after an outage is a JVM of its own, which a busy machine may let wait. */
    @Override
    public Duration endLimit() {
        return Duration.ofMinutes(3);
    }

    @Override
    public Options options() {
        return options(Map.of());
    }

    /** Returns options of the test engine and these. */
    static Options options(Map<String, String> values) {
        Map<String, String> all =
                new TreeMap<>(Map.of(DockerOptions.IMAGE, TestEngine.IMAGE, DockerOptions.NETWORK, TestEngine.NETWORK));
        all.putAll(values);
        return BackendFixture.options(new DockerBackendProvider(), all);
    }

    @Override
    public Environment environment() {
        return reaching(gateSocket());
    }

    /** Returns this process's environment, with another socket. */
    static Environment reaching(Path socket) {
        Map<String, String> variables = new TreeMap<>(System.getenv());
        variables.put(DaemonAddress.HOST_VARIABLE, "unix://" + socket);
        return Environment.of(variables, Map.of("user.home", System.getProperty("user.home")));
    }

    /** The same in a JVM that is killed: a gate would die with it, and what cleans up behind it could not pass. */
    public static final class Master extends DockerFixture {
        public Master() {}

        @Override
        public Environment environment() {
            return Environment.system();
        }
    }

    @Override
    public Optional<Class<? extends BackendFixture>> masterFixture() {
        return Optional.of(Master.class);
    }

    @Override
    public Optional<Outage> outage() {
        return Optional.of(gate.outage());
    }

    @Override
    public Optional<Consumer<Job>> killer() {
        return Optional.of(job -> {
            try (Engine engine = engine()) {
                engine.signal(job.id(), "KILL");
            }
        });
    }

    @Override
    public Optional<Suspension> suspension() {
        return Optional.of(new Suspension() {
            @Override
            public void begin(Job job) {
                try (Engine engine = engine()) {
                    engine.ask(docker -> docker.pauseContainerCmd(job.id()).exec());
                }
            }

            @Override
            public void end(Job job) {
                try (Engine engine = engine()) {
                    engine.ask(docker -> docker.unpauseContainerCmd(job.id()).exec());
                }
            }
        });
    }

    @Override
    public Optional<List<String>> left(String sessionId) {
        try (Engine engine = engine()) {
            return Optional.of(KitSession.remains(engine, SessionLabels.SESSION + "=" + sessionId));
        }
    }

    @Override
    public Optional<Map<String, String>> labelsOf(Job job) {
        try (Engine engine = engine()) {
            return Optional.ofNullable(engine.inspect(job.id()).getConfig().getLabels());
        }
    }

    /** No session has left anything on the engine. */
    static void assertNothingLeft() {
        try (Engine engine = engine()) {
            assertThat(KitSession.remains(engine)).as("containers and volumes").isEmpty();
        }
    }

    /** The same after a while: what a session that was killed leaves is removed behind it. */
    static void awaitNothingLeft() {
        await().atMost(LEFT_LIMIT).untilAsserted(DockerFixture::assertNothingLeft);
    }

    @Override
    public void close() {
        try {
            awaitNothingLeft();
        } finally {
            gate.close();
            directory.close();
        }
    }
}
