// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fiber.spi.Environment;
import io.fiber.spi.OptionKey;
import io.fiber.spi.Options;
import io.fiber.spi.backend.BackendProvider;
import io.fiber.spi.backend.Capability;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.Program;
import io.fiber.spi.backend.Volume;
import io.fiber.tck.BackendFixture;
import io.fiber.tck.cluster.Gate;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** A real engine as the compatibility kit sees it, behind a gate that can be shut. Public with a public constructor, because a second JVM makes one too. */
public class DockerFixture implements BackendFixture {

    private static final Duration LEFT_LIMIT = Duration.ofSeconds(90);
    private static final String KIT_IN_CONTAINERS = "/kit";

    private final Path directory;
    private final Gate gate;

    public DockerFixture() {
        try {
            // The path of a socket must be short, and a killed JVM's directory is inside of another.
            directory = Files.createTempDirectory(Path.of("/tmp"), "fiber-docker-kit");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        gate = Gate.before(directory.resolve("docker.sock"), socket());
    }

    static Path socket() {
        return Path.of(
                requireNonNull(System.getenv(DaemonAddress.HOST_VARIABLE)).substring("unix://".length()));
    }

    /** Returns a way to the engine of this test's own. */
    static Engine engine() {
        return Engine.connect(new DaemonAddress("unix://" + socket(), "", "", "from a test"));
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
        return JobSpec.builder(java(main, placeOf(main).toString(), arguments));
    }

    static Program.Java java(Class<?> main, String classPath, String... arguments) {
        return new Program.Java(
                Optional.empty(),
                List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto"),
                List.of(classPath),
                List.of(),
                main.getName(),
                List.of(arguments));
    }

    static Path placeOf(Class<?> type) {
        try {
            return Path.of(
                    type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** No class path is sent for a plain command: the kit's classes are mounted. */
    @Override
    public JobSpec.Builder commandJob(Class<?> main, String... arguments) {
        List<String> words =
                new ArrayList<>(List.of("java", "-XX:+UseSerialGC", "-cp", KIT_IN_CONTAINERS, main.getName()));
        words.addAll(List.of(arguments));
        return JobSpec.builder(new Program.Command(words))
                .volumes(List.of(new Volume(placeOf(main).toString(), KIT_IN_CONTAINERS, Volume.Access.READ_ONLY)));
    }

    @Override
    public Path directory() {
        return directory;
    }

    @Override
    public Duration startLimit() {
        return Duration.ofSeconds(60);
    }

    /** What removes containers after an outage is a JVM of its own, which a busy machine may let wait. */
    @Override
    public Duration endLimit() {
        return Duration.ofSeconds(90);
    }

    @Override
    public Options options() {
        return options(Map.of());
    }

    /** Returns options of the test engine and these. */
    static Options options(Map<String, String> values) {
        Map<String, OptionKey> keys = new TreeMap<>();
        new DockerBackendProvider().options().forEach(key -> keys.put(key.name(), key));
        Map<String, String> all =
                new TreeMap<>(Map.of(DockerOptions.IMAGE, TestEngine.IMAGE, DockerOptions.NETWORK, TestEngine.NETWORK));
        all.putAll(values);
        return Options.of(all.entrySet().stream()
                .map(value -> new Options.Value(requireNonNull(keys.get(value.getKey())), value.getValue(), "a test"))
                .toList());
    }

    @Override
    public Environment environment() {
        return reaching(directory.resolve("docker.sock"));
    }

    /** Returns this process's environment, with another socket. */
    static Environment reaching(Path socket) {
        return new Environment() {
            @Override
            public Optional<String> variable(String name) {
                return name.equals(DaemonAddress.HOST_VARIABLE)
                        ? Optional.of("unix://" + socket)
                        : Environment.system().variable(name);
            }

            @Override
            public Optional<String> property(String name) {
                return Environment.system().property(name);
            }
        };
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
        return Optional.of(new Outage() {
            @Override
            public void begin() {
                gate.shut();
            }

            @Override
            public void end() {
                gate.open();
            }
        });
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
    public Optional<Map<String, String>> labelsOf(Job job) {
        try (Engine engine = engine()) {
            return Optional.ofNullable(engine.inspect(job.id()).getConfig().getLabels());
        }
    }

    @Override
    public void close() {
        try (Engine engine = engine()) {
            await().atMost(LEFT_LIMIT)
                    .untilAsserted(() -> assertThat(KitSession.remains(engine))
                            .as("containers and volumes")
                            .isEmpty());
        } finally {
            gate.close();
            removeDirectory();
        }
    }

    private void removeDirectory() {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
