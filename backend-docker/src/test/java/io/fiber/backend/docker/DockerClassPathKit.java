// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.dockerjava.api.model.Image;
import io.fiber.backend.support.UserIds;
import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.Leftover;
import io.fiber.spi.backend.Program;
import io.fiber.tck.backend.BackendFixture;
import io.fiber.tck.host.LogLines;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

    /** What sessions send; the figures are printed. */
    @Test
    void secondSessionOfAProgramSendsNothing() throws Exception {
        String first = jar("first/greeter.jar", "", List.of(Greeter.class)).toString();
        Path copy = directory.resolve("second/greeter.jar");
        Files.createDirectories(copy.getParent());
        Files.copy(Path.of(first), copy);
        String other =
                jar("other/greeter.jar", "first.jar", List.of(Greeter.class)).toString();

        List<String> said = saidOf(() -> {
            greet(first);
            greet(copy.toString());
            greet(other);
        });

        System.out.println(said);
        String sent = "The class path \\(2 entries\\) was sent to Docker: [1-9]\\d+ bytes\\.";
        assertThat(said).hasSize(3);
        assertThat(said.get(0)).matches(sent);
        assertThat(said.get(1)).isEqualTo("The class path (2 entries) is kept by Docker: 0 bytes were sent.");
        assertThat(said.get(2)).matches(sent);
    }

    @Test
    void sessionsThatSendTheSameAtTheSameTimeBothHaveIt() throws Exception {
        String program = jar("greeter.jar", "", List.of(Greeter.class)).toString();
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            List<Future<String>> greetings = threads.invokeAll(
                    List.of(() -> greet("kitsession02", program), () -> greet("kitsession03", program)));

            for (Future<String> greeting : greetings) {
                assertThat(greeting.get()).startsWith("hello from file:/fiber/class-path/");
            }
        } finally {
            threads.shutdown();
        }
    }

    /** In the middle of a file, and behind it. */
    @ParameterizedTest
    @ValueSource(ints = {1 << 19, 512 + (1 << 20)})
    void whatWasSentInPartIsNotKept(int bytes) throws IOException {
        byte[] whole = Tar.privateFile("file", new byte[1 << 20], new UserIds(0, 0));
        InputStream cut = InputStream.nullInputStream();
        cut.close();
        try (Engine engine = DockerFixture.engine();
                InputStream part = new SequenceInputStream(new ByteArrayInputStream(whole, 0, bytes), cut)) {
            assertThatThrownBy(() -> KeptClassPaths.add(engine, "part", part)).isInstanceOf(BackendException.class);

            assertThatThrownBy(() -> engine.ask(docker ->
                            docker.inspectImageCmd(KeptClassPaths.image("part")).exec()))
                    .isInstanceOf(Refusal.class)
                    .hasMessageContaining("No such image");
        }
    }

    /** Some engines do not copy the files of an image into a volume; here the image has others. */
    @Test
    void classPathThatIsNotCopiedIsSent() throws Exception {
        String program = jar("greeter.jar", "", List.of(Greeter.class)).toString();
        try (Engine engine = DockerFixture.engine()) {
            KeptClassPaths.remove(engine);
            greet(program);
            String kept = onlyImage(engine).getRepoTags()[0];
            engine.tell(docker -> docker.tagImageCmd(
                            TestEngine.BARE_IMAGE, "fiber-class-path", kept.substring(kept.indexOf(':') + 1))
                    .exec());
            try {
                assertThat(saidOf(() -> greet(program)))
                        .last()
                        .asString()
                        .matches("The class path \\(2 entries\\) was sent to Docker: [1-9]\\d+ bytes\\.");
            } finally {
                engine.tell(docker -> docker.removeImageCmd(kept).exec());
            }
        }
    }

    @Test
    void keptClassPathsAreFoundAndRemovedUnlessAContainerUsesThem() throws Exception {
        String program = jar("greeter.jar", "", List.of(Greeter.class)).toString();
        try (Engine engine = DockerFixture.engine()) {
            KeptClassPaths.remove(engine);
            assertThat(Remains.ofOthers(engine)).isEmpty();
            greet(program);
            String image = onlyImage(engine).getId();
            String user = engine.ask(docker -> docker.createContainerCmd(image)
                    .withEntrypoint("never started")
                    .exec()
                    .getId());
            Leftover kept = new Leftover("class-paths", "1 kept for later sessions (1 MB)", Optional.empty());

            Remains.remove(engine, kept);
            assertThat(Remains.ofOthers(engine)).containsExactly(kept);

            engine.remove(user);
            Remains.remove(engine, kept);
            assertThat(Remains.ofOthers(engine)).isEmpty();
        }
    }

    private static Image onlyImage(Engine engine) {
        List<Image> images = engine.ask(docker ->
                docker.listImagesCmd().withLabelFilter(KeptClassPaths.LABEL).exec());
        assertThat(images).hasSize(1);
        return images.get(0);
    }

    private String greet(String jar) {
        return greet("kitsession01", jar);
    }

    /** Runs a program in a session of its own, and returns what it says. */
    private String greet(String sessionId, String jar) {
        try (KitSession session = new KitSession(sessionId, directory)) {
            Job job = session.start(
                    program(List.of(jar, BackendFixture.placeOf(Greeter.class)), List.of(), Greeter.class.getName()));
            assertThat(session.awaitEnd(job).describe())
                    .as(job.logs(20).toString())
                    .isEqualTo("exit code 0");
            return job.logs(20).get(0);
        }
    }

    /** Returns what is logged of class paths meanwhile. */
    private static List<String> saidOf(Runnable action) {
        try (LogLines said = LogLines.of(ClassPathVolume.class.getName(), Level.FINE)) {
            action.run();
            return said.messages();
        }
    }
}
