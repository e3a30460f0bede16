// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.backend.kubernetes.boot.Fetch;
import io.fiber.backend.support.PackedPath;
import io.fiber.spec.Secret;
import io.fiber.spi.CallerHost;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.Program;
import io.fiber.spi.backend.Submission;
import io.fiber.tck.backend.BackendFixture;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.JarInputStream;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClassPathTest {

    @TempDir
    Path directory;

    private Path scratch;
    private Path jar;
    private Path classes;
    private ClassPathServer server;

    @BeforeEach
    void lay() throws IOException {
        scratch = Files.createDirectory(directory.resolve("scratch"));
        jar = Files.writeString(directory.resolve("my app.jar"), "not really a jar");
        classes = Files.createDirectories(directory.resolve("classes/my/pack"));
        Files.writeString(classes.resolve("Program.class"), "code");
        InetAddress loopback = InetAddress.getLoopbackAddress();
        server = new ClassPathServer(
                new CallerHost(loopback, loopback.getHostAddress(), CallerHost.Reach.NETWORK), 0, scratch);
    }

    @AfterEach
    void close() {
        server.close();
    }

    /** A class path as a pod sees it, and the plan for fetching it. */
    private record Delivery(String plan, Program.Java program) {}

    private Delivery offer() {
        Program.Java program = new Program.Java(
                Optional.empty(),
                List.of(),
                List.of(jar.toString(), directory.resolve("classes").toString(), "/not/there"),
                List.of(),
                "my.pack.Program",
                List.of());
        return offer(program);
    }

    private Delivery offer(Program.Java program) {
        Secret told = Secret.of("what a worker is told".getBytes(StandardCharsets.UTF_8));
        PackedPath.Placed placed =
                server.place(Submission.of(JobSpec.builder(program).build(), "job", told), program);
        return new Delivery(server.offer(placed), placed.program());
    }

    private Path fetched(String plan) throws IOException {
        Path target = directory.resolve("target");
        Fetch.main(new String[] {planFile(plan), target.toString()});
        return target;
    }

    private String planFile(String plan) throws IOException {
        return Files.writeString(directory.resolve("plan"), plan).toString();
    }

    /** Fetches the jar alone as a pod with a cache does, and returns where it is. */
    private Path fetched(Path cache, String plan, String pod) throws IOException {
        Path target = directory.resolve(pod);
        Fetch.main(new String[] {planFile(plan), target.toString(), cache.toString()});
        return target.resolve(plan.lines().toList().get(1).replaceFirst("^[^ ]+ ", ""));
    }

    /** A plan of the jar alone whose server is gone. */
    private static String withoutServer(String plan) {
        return plan.replaceFirst("http://[^/]+", "http://127.0.0.1:1");
    }

    @Test
    void whatIsOfferedArrivesUnderItsName() throws IOException {
        Delivery delivery = offer();

        Path target = fetched(delivery.plan());

        List<String> there = delivery.program().classPath();
        assertThat(there).hasSize(2).allMatch(path -> path.startsWith("/fiber/class-path/"));
        assertThat(there.get(0)).endsWith("/my app.jar");
        assertThat(there.get(1)).endsWith("/classes.jar");
        assertThat(target.resolve(there.get(0).substring("/fiber/class-path/".length())))
                .hasContent("not really a jar");
        try (JarFile packed = new JarFile(target.resolve(there.get(1).substring("/fiber/class-path/".length()))
                .toFile())) {
            ZipEntry program = packed.getEntry("my/pack/Program.class");
            assertThat(packed.getInputStream(program)).hasContent("code");
            assertThat(packed.getEntry("my/pack/").isDirectory()).isTrue();
        }
    }

    @Test
    void cacheServesOtherPodsAndGoesByContent() throws IOException {
        String plan = offer().plan();
        Path cache = Files.createDirectory(directory.resolve("cache"));
        Path kept = cache.resolve(plan.lines().toList().get(1).substring(0, 64));
        Path unused = Files.writeString(cache.resolve("0".repeat(64)), "of last year");
        Path strange = Files.writeString(cache.resolve("notes of its owner"), "of last year");
        FileTime lastYear = FileTime.from(Instant.now().minus(Duration.ofDays(365)));
        Files.setLastModifiedTime(unused, lastYear);
        Files.setLastModifiedTime(strange, lastYear);

        assertThat(fetched(cache, plan, "first")).hasContent("not really a jar");
        assertThat(kept).hasContent("not really a jar");
        assertThat(unused).doesNotExist();
        Files.setLastModifiedTime(kept, lastYear);
        assertThat(fetched(cache, withoutServer(plan), "second")).hasContent("not really a jar");
        assertThat(Files.getLastModifiedTime(kept)).isGreaterThan(lastYear);

        Files.writeString(kept, "changed by a stranger");
        assertThat(fetched(cache, plan, "third")).hasContent("not really a jar");
        assertThat(kept).hasContent("not really a jar");
        assertThat(cache).isDirectoryNotContaining("glob:**.part");
        assertThat(strange).exists();
    }

    @Test
    void cacheThatCannotBeWrittenIsNamed() throws Exception {
        Path cache = Files.writeString(directory.resolve("cache"), "a file");
        Process pod = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        BackendFixture.placeOf(Fetch.class),
                        Fetch.class.getName(),
                        planFile(offer().plan()),
                        directory.resolve("target").toString(),
                        cache.toString())
                .redirectErrorStream(true)
                .start();

        String said = new String(pod.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(pod.waitFor()).isEqualTo(Fetch.CACHE_FAILED);
        assertThat(said)
                .startsWith("The cache of class paths cannot be written: java.nio.file.")
                .contains(cache.toString());
    }

    @Test
    void jarThatAManifestNamesIsOfferedBehindTheOneThatNamesIt() throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, "my%20app.jar");
        Path main = directory.resolve("main.jar");
        new JarOutputStream(Files.newOutputStream(main), manifest).close();

        Delivery delivery = offer(
                new Program.Java(Optional.empty(), List.of(), List.of(main.toString()), List.of(), "a.B", List.of()));

        assertThat(delivery.program().classPath())
                .extracting(path -> path.substring(path.lastIndexOf('/') + 1))
                .containsExactly("main.jar", "my app.jar");
    }

    @Test
    void equalContentIsOfferedUnderOnePlan() {
        assertThat(offer()).isEqualTo(offer());
    }

    @Test
    void nobodyGetsAFileWithoutTheWord() throws IOException {
        List<String> plan = offer().plan().lines().toList();
        String digest = plan.get(1).substring(0, plan.get(1).indexOf(' '));
        URI place = URI.create(plan.get(0));

        assertThat(statusOf(place.resolve("/" + "0".repeat(64) + "/" + digest))).isEqualTo(404);
        assertThat(statusOf(place.resolve(digest))).isEqualTo(200);
        assertThat(statusOf(place.resolve("f".repeat(64)))).isEqualTo(404);
    }

    private static int statusOf(URI place) throws IOException {
        HttpURLConnection connection = (HttpURLConnection) place.toURL().openConnection();
        try {
            return connection.getResponseCode();
        } finally {
            connection.disconnect();
        }
    }

    @Test
    void nothingStaysBehind() {
        offer();
        server.close();

        assertThat(scratch).isEmptyDirectory();
    }

    @Test
    void whatFetchesIsOneSmallJar() throws IOException {
        byte[] jarOfFetch = ClassPathServer.fetcher();

        assertThat(jarOfFetch.length).isLessThan(16 * 1024);
        try (JarInputStream in = new JarInputStream(new ByteArrayInputStream(jarOfFetch))) {
            assertThat(in.getNextJarEntry().getName()).isEqualTo("io/fiber/backend/kubernetes/boot/Fetch.class");
            assertThat(in.getNextJarEntry()).isNull();
        }
    }
}
