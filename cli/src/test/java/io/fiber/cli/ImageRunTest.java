// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.Fiber;
import io.fiber.spi.Options;
import io.fiber.spi.backend.BackendProvider;
import io.fiber.spi.transport.TransportProvider;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A program with workers, run from an image that is made of its class path, on the real clusters; and the same jar by Slurm. */
@Tag("soak")
@Timeout(1_200)
class ImageRunTest {

    private static final int AFTER_CTRL_C = 130;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    @Test
    void kubernetesRunsAnImageOfTheClassPath() throws Exception {
        Cli cli = TestClusters.besideKubernetes(Cli.in(directory));
        try (Registry registry = Registry.start(directory, Optional.empty(), TestClusters.inside("kubernetes"))) {
            assertRunsFromAnImage(cli, registry, "kubernetes");
            assertThat(TestClusters.kubectl("get", "pods", "-l", "io.fiber.session", "-o", "name"))
                    .doesNotContain("pod/");
        }
    }

    @Test
    void dockerRunsAnImageOfTheClassPath() throws Exception {
        Cli cli = TestClusters.besideDocker(Cli.in(directory));
        try (Registry registry = Registry.start(directory, Optional.empty(), TestClusters.inside("docker"))) {
            assertRunsFromAnImage(cli, registry, "docker");
        }
    }

    @Test
    void slurmRunsTheSameJarFromAWorkstation() throws Exception {
        List<String> words = new ArrayList<>(List.of("run", "-e", "FIBER_BACKEND=local"));
        words.addAll(TestClusters.slurmBySsh());
        words.addAll(List.of("--", "java", "-cp", classPath("first"), Darts.class.getName(), "7"));

        Cli.Result result = Cli.in(directory).run(words.toArray(String[]::new));

        assertThat(result.out().lines().toList()).first().isEqualTo("ready");
        assertThat(result.out()).contains("Pi is roughly 3.1");
        assertThat(result.code()).isEqualTo(7);
    }

    private void assertRunsFromAnImage(Cli plain, Registry registry, String backend) throws Exception {
        Cli cli = plain.with("XDG_CACHE_HOME", directory.resolve("cache").toString());
        Cli.Result first = cli.run(words(registry, backend, classPath("first"), "7"));
        assertThat(first.out().lines().toList()).first().isEqualTo("ready");
        assertThat(first.out()).contains("Pi is roughly 3.1");
        assertThat(first.err()).contains("fiber: image " + registry.repository("app@sha256:"));
        assertThat(first.code()).isEqualTo(7);
        long sent = registry.blobsWritten();

        assertThat(cli.run(words(registry, backend, classPath("first"), "0")).code())
                .isZero();
        assertThat(registry.blobsWritten()).isEqualTo(sent);
        assertThat(cli.run(words(registry, backend, classPath("second"), "0")).code())
                .isZero();
        // The application's layer and the description of the image.
        assertThat(registry.blobsWritten()).isEqualTo(sent + 2);

        Process process = cli.builder(words(registry, backend, classPath("second"), "0"))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader out = process.inputReader()) {
            assertThat(out.readLine()).isEqualTo("ready");
            new ProcessBuilder("kill", "-s", "INT", Long.toString(process.pid()))
                    .start()
                    .waitFor();
            assertThat(process.waitFor()).isEqualTo(AFTER_CTRL_C);
        } finally {
            process.destroyForcibly();
        }
    }

    private static String[] words(Registry registry, String backend, String classPath, String code) throws IOException {
        return new String[] {
            "run",
            "--backend",
            backend,
            "--image",
            "tar://" + TestClusters.imageWithJre(),
            "--to",
            registry.repository("app"),
            "--",
            "java",
            "-cp",
            classPath,
            Darts.class.getName(),
            code
        };
    }

    /** A jar of the program, and those of Fiber with the backend 'local' alone. */
    private String classPath(String edition) throws Exception {
        Path app = ProgramJars.write(directory.resolve("app.jar"), edition, Darts.class);
        List<String> entries = new ArrayList<>(List.of(app.toString()));
        Stream<Class<?>> providers =
                Stream.of(provider(BackendProvider.class, "local"), provider(TransportProvider.class, "aeron"));
        for (Class<?> type :
                Stream.concat(Stream.of(Fiber.class, Options.class), providers).toList()) {
            entries.add(Path.of(type.getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString());
        }
        Stream.of(Cli.classPath().split(File.pathSeparator, -1))
                .filter(entry -> entry.matches(".*/(agrona|aeron-client|aeron-driver)-[^/]*\\.jar"))
                .forEach(entries::add);
        return String.join(File.pathSeparator, entries);
    }

    private static Class<?> provider(Class<?> service, String word) {
        return ServiceLoader.load(service).stream()
                .<Class<?>>map(ServiceLoader.Provider::type)
                .filter(each -> each.getName().contains(word))
                .findFirst()
                .orElseThrow();
    }
}
