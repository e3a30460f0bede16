// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs that have the libraries of the jars of backends in other versions: neither meets those of the other. */
@Tag("slow")
class OtherVersionsTest {

    private static final Path VERSIONS = Path.of(System.getProperty("other-versions", "target/other-versions"));

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    @ParameterizedTest
    @CsvSource({"docker, old", "docker, new", "kubernetes, old", "kubernetes, new"})
    void programsAndTheBackendsLibrariesDoNotMeet(String backend, String age) throws Exception {
        try (RefusingPlatform platform = new RefusingPlatform()) {
            Path config = Files.writeString(directory.resolve("kubeconfig"), platform.kubeconfig());
            Outcome outcome = run(
                    List.of(),
                    age,
                    backend,
                    Map.of(
                            "DOCKER_HOST", platform.url("tcp"),
                            "FIBER_DOCKER_IMAGE", "any",
                            "FIBER_KUBERNETES_IMAGE", "any",
                            "FIBER_KUBERNETES_ADDRESS", "127.0.0.1",
                            "KUBECONFIG", config.toString()));

            assertThat(outcome.lines()).as(outcome.err()).startsWith(jars(age));
            assertThat(outcome.out()).as(outcome.err()).contains("[1,2]\n", "FBR-", RefusingPlatform.REFUSAL);
            assertThat(outcome.err()).doesNotContain("SLF4J").doesNotContain("NoSuch", "NoClassDef", "Linkage");
            if (backend.equals("docker")) {
                assertThat(platform.archives()).as("bootstrap files as tar").isPositive();
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "docker, 3, LICENSE NOTICE",
        "kubernetes, 3, LICENSE NOTICE",
        "slurm, 1, LICENSE.txt LICENSE.JZlib.txt LICENSE.jBCrypt.txt",
    })
    void jarOfABackendHasNoNameOfOthers(String backend, int services, String licences) throws Exception {
        String own = "io/fiber/backend/" + backend + "/";
        try (JarFile jar = new JarFile(jarOf(backend).toFile())) {
            List<String> names = jar.stream()
                    .filter(entry -> !entry.isDirectory())
                    .map(entry -> entry.getName().replaceFirst("^META-INF/versions/\\d+/", ""))
                    .toList();
            assertThat(names)
                    .filteredOn(name -> !name.startsWith(own) && !name.startsWith("META-INF/"))
                    .isEmpty();
            assertThat(names)
                    .filteredOn(name -> name.startsWith("META-INF/services/"))
                    .allMatch(name -> name.matches("META-INF/services/io\\.fiber\\..*"))
                    .hasSizeGreaterThanOrEqualTo(services);
            for (String licence : licences.split(" ", -1)) {
                assertThat(names).contains("META-INF/" + licence);
            }
        }
    }

    /** jsch has names of classes in its configuration, and for newer JVMs other classes, which alone know Ed25519. */
    @Test
    void classesThatSshFindsByNameAreInTheJarOfSlurm() throws Exception {
        String own = "io.fiber.backend.slurm.shaded.com.jcraft.jsch.";
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {jarOf("slurm").toUri().toURL()}, ClassLoader.getPlatformClassLoader())) {
            Method getConfig = loader.loadClass(own + "JSch").getMethod("getConfig", String.class);
            for (String name :
                    List.of("curve25519-sha256", "xdh", "aes256-ctr", "hmac-sha2-256", "userauth.publickey")) {
                assertThat(loader.loadClass((String) getConfig.invoke(null, name))
                                .getName())
                        .startsWith(own);
            }
            Class<?> ed25519 = loader.loadClass((String) getConfig.invoke(null, "ssh-ed25519"));
            ed25519.getMethod("init").invoke(ed25519.getConstructor().newInstance());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"old", "new"})
    @Tag("cluster")
    void poolsOnDockerWorkBesideOtherLibraries(String age) throws Exception {
        Path socket = TestClusters.state("docker").resolve("docker.sock");
        assumeTrue(Files.exists(socket), "no engine of dev/docker/up is up");
        Outcome outcome = run(
                List.of(TestClusters.inside("docker")),
                age,
                "docker",
                Map.of(
                        "DOCKER_HOST", "unix://" + socket,
                        "FIBER_DOCKER_IMAGE", "fiber-test:jre",
                        "FIBER_DOCKER_NETWORK", "fiber"));
        assertThat(outcome.lines())
                .as(outcome.err())
                .endsWith("[1,2]", "worker of a worker: 2", "client here and there: true, false");
        assertThat(outcome.err()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"old", "new"})
    @Tag("cluster")
    void poolsOnKubernetesWorkBesideOtherLibraries(String age) throws Exception {
        Path state = TestClusters.state("kubernetes");
        assumeTrue(
                TestClusters.isRoot() && Files.exists(state.resolve("env.sh")),
                "no cluster of dev/kubernetes/up is up, or this is not its user");
        Outcome outcome = run(
                List.of(TestClusters.inside("kubernetes")),
                age,
                "kubernetes",
                Map.of(
                        "KUBECONFIG",
                        state.resolve("kubeconfig").toString(),
                        "FIBER_KUBERNETES_IMAGE",
                        "fiber-test:jre"));
        assertThat(outcome.lines())
                .as(outcome.err())
                .endsWith("[1,2]", "worker of a worker: 2", "client here and there: true, false");
        assertThat(outcome.err()).isEmpty();
    }

    private record Outcome(String out, String err) {
        List<String> lines() {
            return out.lines().toList();
        }
    }

    private Outcome run(List<String> place, String age, String backend, Map<String, String> variables)
            throws Exception {
        List<String> classPath = new ArrayList<>();
        try (Stream<Path> jars = Files.list(VERSIONS.resolve(age))) {
            jars.sorted().forEach(jar -> classPath.add(jar.toAbsolutePath().toString()));
        }
        classPath.add(ProgramJars.write(directory.resolve("program.jar"), "", ProgramWithLibraries.class)
                .toString());
        classPath.addAll(ofFiber(backend));
        List<String> words = new ArrayList<>(place);
        words.addAll(List.of(
                Cli.java(),
                "-Xmx200m",
                "-XX:TieredStopAtLevel=1",
                "-Dslf4j.provider=a.provider.that.is.not.There",
                "-cp",
                String.join(File.pathSeparator, classPath),
                ProgramWithLibraries.class.getName()));
        Path out = directory.resolve("out");
        Path err = directory.resolve("err");
        ProcessBuilder builder = new ProcessBuilder(words)
                .directory(directory.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment()
                .keySet()
                .removeIf(name -> name.startsWith("FIBER_") || name.startsWith("DOCKER_") || name.equals("KUBECONFIG"));
        builder.environment().putAll(variables);
        builder.environment().put("FIBER_BACKEND", backend);
        Process process = builder.start();
        try {
            process.waitFor();
            return new Outcome(Files.readString(out), Files.readString(err));
        } finally {
            process.destroyForcibly();
        }
    }

    /** What a program gets with the backend, by its published pom; the rest of this test's class path is left out. */
    private static List<String> ofFiber(String backend) {
        List<String> entries = new ArrayList<>(List.of(jarOf(backend).toString()));
        for (String entry : Cli.classPath().split(File.pathSeparator, -1)) {
            String path = entry.replace(File.separatorChar, '/');
            if (path.matches(".*/(fiber-(api|spi|runtime|transport-socket|backend-support)|agrona|jna)-[^/]*\\.jar")
                    || path.matches(".*/(fiber-(api|spi|runtime)|transport-socket|backend-support)/target/.*classes")) {
                entries.add(entry);
            }
        }
        return entries;
    }

    private static Path jarOf(String backend) {
        for (String entry : Cli.classPath().split(File.pathSeparator, -1)) {
            Path path = Path.of(entry);
            if (path.getFileName().toString().matches("fiber-backend-" + backend + "-.*\\.jar")) {
                return path;
            }
        }
        assumeTrue(false, "the jar of backend-" + backend + " is not built: that is done in the phase 'package'");
        return Path.of("");
    }

    /** Returns the names that the program prints, in the order of what it asks for. */
    private static String[] jars(String age) throws IOException {
        List<String> kinds = List.of(
                "jackson-databind",
                "jackson-core",
                "guava",
                "commons-lang3",
                "commons-compress",
                "commons-io",
                "snakeyaml",
                "slf4j-api");
        List<String> names = new ArrayList<>();
        try (Stream<Path> jars = Files.list(VERSIONS.resolve(age))) {
            List<String> all = jars.map(jar -> jar.getFileName().toString()).toList();
            for (String kind : kinds) {
                names.add(all.stream()
                        .filter(name -> name.startsWith(kind))
                        .findFirst()
                        .orElseThrow());
            }
        }
        return names.toArray(String[]::new);
    }
}
