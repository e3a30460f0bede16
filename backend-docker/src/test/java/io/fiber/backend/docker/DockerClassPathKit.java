// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.Program;
import io.fiber.tck.BackendFixture;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program finds its classes in a container as it does here. {@link DockerEngineTest} runs it beside a real engine. */
class DockerClassPathKit {

    @TempDir
    Path directory;

    /** A program that says where it was found. */
    static final class Greeter {
        private Greeter() {}

        public static void main(String[] arguments) {
            System.out.println("hello from "
                    + Greeter.class.getProtectionDomain().getCodeSource().getLocation() + " of "
                    + Greeter.class.getModule());
        }
    }

    private Path jar(String name, String classPath, List<Class<?>> classes) throws IOException {
        Path jar = directory.resolve(name);
        Files.createDirectories(jar.getParent());
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, classPath);
        try (OutputStream out = Files.newOutputStream(jar);
                JarOutputStream content = new JarOutputStream(out, manifest)) {
            for (Class<?> type : classes) {
                String entry = type.getName().replace('.', '/') + ".class";
                content.putNextEntry(new JarEntry(entry));
                try (InputStream bytes = Files.newInputStream(
                        Path.of(BackendFixture.placeOf(type)).resolve(entry))) {
                    bytes.transferTo(content);
                }
            }
        }
        return jar;
    }

    private static JobSpec.Builder program(List<String> classPath, List<String> modulePath, String main) {
        return JobSpec.builder(new Program.Java(
                Optional.empty(), List.of("-XX:TieredStopAtLevel=1"), classPath, modulePath, main, List.of()));
    }

    @Test
    void classPathOfAManifestIsFollowed() throws IOException {
        jar("lib/more of it.jar", "", List.of(Greeter.class));
        jar("lib/middle.jar", "more%20of%20it.jar ../main.jar", List.of());
        Path main = jar("main.jar", "gone.jar lib/middle.jar", List.of());
        try (KitSession session = new KitSession(directory, Map.of())) {
            Job job = session.start(program(List.of(main.toString()), List.of(), Greeter.class.getName()));

            assertThat(session.awaitEnd(job).describe())
                    .as(job.logs(20).toString())
                    .isEqualTo("exit code 0");
            assertThat(job.logs(20))
                    .singleElement()
                    .asString()
                    .endsWith("more%20of%20it.jar of unnamed module " + "@"
                            + job.logs(20).get(0).replaceAll(".*@", ""));
        }
    }

    @Test
    void moduleWithoutANameOfItsOwnHasTheOneOfItsFile() throws IOException {
        Path module = jar("kit-greeter-1.2.jar", "", List.of(Greeter.class));
        try (KitSession session = new KitSession(directory, Map.of())) {
            Job job = session.start(
                    program(List.of(), List.of(module.toString()), "kit.greeter/" + Greeter.class.getName()));

            assertThat(session.awaitEnd(job).describe())
                    .as(job.logs(20).toString())
                    .isEqualTo("exit code 0");
            assertThat(job.logs(20)).singleElement().asString().endsWith("of module kit.greeter");
        }
    }

    /** What a second session of the same program sends again; the figures are printed. */
    @Test
    void secondSessionOfAProgramSendsItsClassPathAgain() {
        List<String> said = new ArrayList<>();
        Logger logger = Logger.getLogger(ClassPathVolume.class.getName());
        Level level = logger.getLevel();
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord record) {
                said.add(record.getMessage());
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        logger.addHandler(handler);
        logger.setLevel(Level.FINE);
        try {
            for (int i = 0; i < 2; i++) {
                try (KitSession session = new KitSession(directory, Map.of())) {
                    Job job = session.start(program(
                            List.of(BackendFixture.placeOf(Greeter.class)), List.of(), Greeter.class.getName()));
                    assertThat(session.awaitEnd(job).describe()).isEqualTo("exit code 0");
                }
            }
        } finally {
            logger.removeHandler(handler);
            logger.setLevel(level);
        }
        System.out.println("first session: " + said.get(0) + " second session: " + said.get(1));
        assertThat(said)
                .hasSize(2)
                .allMatch(line -> line.matches("Sent 1 entries of the class path to Docker: [1-9]\\d+ bytes\\."));
        assertThat(said.get(1)).isEqualTo(said.get(0));
    }
}
