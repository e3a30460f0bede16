// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.Fiber;
import io.fiber.backend.support.SubmissionGate;
import io.fiber.runtime.session.RuntimeEngine;
import io.fiber.spi.backend.BackendProvider;
import io.fiber.spi.transport.TransportProvider;
import io.fiber.transport.socket.SocketTransportProvider;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.loader.launch.JarLauncher;

/** A program in an executable jar of Spring Boot, with the real loader of its nested jars. */
@Tag("slow")
class ExecutableJarTest {

    private static final String LIBRARIES = "BOOT-INF/lib/";
    private static final String CLASSES = "BOOT-INF/classes/";

    @TempDir
    Path directory;

    private Path jar;
    private Path cache;

    @BeforeEach
    void build() throws Exception {
        jar = directory.resolve("app.jar");
        cache = directory.resolve("cache");
        pack("one");
    }

    private void pack(String answer) throws Exception {
        Manifest manifest = new Manifest();
        Map.of(
                        "Manifest-Version",
                        "1.0",
                        "Main-Class",
                        JarLauncher.class.getName(),
                        "Start-Class",
                        BootProgram.class.getName(),
                        "Spring-Boot-Classes",
                        CLASSES,
                        "Spring-Boot-Lib",
                        LIBRARIES)
                .forEach(manifest.getMainAttributes()::putValue);
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream out = new JarOutputStream(file, manifest)) {
            copyLoader(out);
            for (String folder : List.of("BOOT-INF/", CLASSES, LIBRARIES)) {
                put(out, folder, new byte[0]);
            }
            for (Path each : files(place(BootProgram.class))) {
                if (each.getFileName().toString().startsWith("BootProgram")) {
                    String name = place(BootProgram.class).relativize(each).toString();
                    put(out, CLASSES + name.replace(File.separatorChar, '/'), Files.readAllBytes(each));
                }
            }
            put(out, CLASSES + "answer.txt", answer.getBytes(StandardCharsets.UTF_8));
            int number = 0;
            for (Path library : libraries()) {
                put(out, LIBRARIES + "lib-" + number++ + ".jar", jarOf(library));
            }
        }
    }

    private static void copyLoader(JarOutputStream out) throws Exception {
        try (JarFile loader = new JarFile(place(JarLauncher.class).toFile())) {
            for (JarEntry entry : loader.stream()
                    .filter(each -> each.getName().endsWith(".class"))
                    .toList()) {
                put(out, entry.getName(), loader.getInputStream(entry).readAllBytes());
            }
        }
    }

    /** Nested jars must be stored, or their loader refuses them. */
    private static void put(JarOutputStream out, String name, byte[] bytes) throws IOException {
        ZipEntry entry = new ZipEntry(name);
        entry.setMethod(ZipEntry.STORED);
        entry.setSize(bytes.length);
        CRC32 crc = new CRC32();
        crc.update(bytes);
        entry.setCrc(crc.getValue());
        out.putNextEntry(entry);
        out.write(bytes);
        out.closeEntry();
    }

    private static Path place(Class<?> type) throws Exception {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    }

    /** Fiber, its backend and transport, and what they need. */
    private static List<Path> libraries() throws Exception {
        List<Path> libraries = new ArrayList<>();
        for (Class<?> type : List.of(
                Fiber.class,
                RuntimeEngine.class,
                BackendProvider.class,
                LocalBackendProvider.class,
                SubmissionGate.class,
                SocketTransportProvider.class)) {
            libraries.add(place(type));
        }
        assertThat(place(TransportProvider.class)).isEqualTo(place(BackendProvider.class));
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            if (Path.of(entry).getFileName().toString().matches("agrona-.*\\.jar")) {
                libraries.add(Path.of(entry));
            }
        }
        return libraries;
    }

    private static byte[] jarOf(Path library) throws IOException {
        if (!Files.isDirectory(library)) {
            return Files.readAllBytes(library);
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JarOutputStream out = new JarOutputStream(bytes)) {
            for (Path file : files(library)) {
                ZipEntry entry =
                        new ZipEntry(library.relativize(file).toString().replace(File.separatorChar, '/'));
                // The same content at each time.
                entry.setTime(0);
                out.putNextEntry(entry);
                out.write(Files.readAllBytes(file));
            }
        }
        return bytes.toByteArray();
    }

    private static List<Path> files(Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(Files::isRegularFile).sorted().toList();
        }
    }

    private MasterJvm start(List<String> program) {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx192m"));
        command.addAll(List.of("-Djava.io.tmpdir=" + directory, "-Dfiber.cds=false"));
        command.addAll(program);
        return new MasterJvm(Map.of("XDG_CACHE_HOME", cache.toString()), command);
    }

    private String run(List<String> program, String answer) {
        try (MasterJvm master = start(program)) {
            assertThat(master.awaitLine("loader ")).startsWith("org.springframework.boot.loader.launch.");
            assertThat(master.awaitLine("answers "))
                    .isEqualTo("[Answer[value=1, resource=%1$s], Answer[value=4, resource=%1$s],".formatted(answer)
                            + " Answer[value=9, resource=%s]]".formatted(answer));
            String classPath = master.awaitLine("class-path ");
            master.awaitEnd();
            return classPath;
        }
    }

    private List<String> unpacked() throws IOException {
        try (Stream<Path> entries = Files.list(cache.resolve("fiber").resolve("jars"))) {
            return entries.map(entry -> entry.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void executableJarIsUnpackedOnceForEachContent() throws Exception {
        List<String> program = List.of("-jar", jar.toString());
        String first = run(program, "one");

        assertThat(first).startsWith(cache.toString()).contains("classes.jar", "lib-0.jar");
        assertThat(unpacked()).hasSize(1);
        Path library = Path.of(first.split(File.pathSeparator, -1)[1]);
        Object written = Files.getAttribute(library, "unix:ino");
        assertThat(run(program, "one")).isEqualTo(first);
        assertThat(Files.getAttribute(library, "unix:ino")).isEqualTo(written);

        Files.delete(library);
        pack("two");
        assertThat(run(program, "two")).isNotEqualTo(first);
        assertThat(unpacked()).hasSize(2);

        pack("one");
        assertThat(run(program, "one")).isEqualTo(first);
        assertThat(library).exists();
    }

    @Test
    void explodedJarIsTakenAsItIs() throws Exception {
        Path exploded = directory.resolve("exploded");
        try (JarFile packed = new JarFile(jar.toFile())) {
            for (JarEntry entry : packed.stream().toList()) {
                Path file = exploded.resolve(entry.getName());
                if (entry.isDirectory()) {
                    continue;
                }
                Files.createDirectories(file.getParent());
                Files.write(file, packed.getInputStream(entry).readAllBytes());
            }
        }

        // Fiber's jars, the program's classes, and the other jars, all where they are.
        String inside = exploded.resolve("BOOT-INF") + File.separator;
        String jars = "(" + inside + "lib/[^:]+:)+";
        assertThat(run(List.of("-cp", exploded.toString(), JarLauncher.class.getName()), "one") + File.pathSeparator)
                .matches(jars + inside + "classes:" + jars);
        assertThat(cache).doesNotExist();
    }

    @Test
    void directoryThatCannotBeMadeIsNamed() throws Exception {
        Files.writeString(cache, "a file");
        try (MasterJvm master = start(List.of("-jar", jar.toString()))) {
            assertThat(master.awaitLine("Caused by: "))
                    .contains("FBR-116 This program was started from " + jar)
                    .contains("whose classes are in jars inside it", "Fiber cannot unpack them: ", cache.toString())
                    .contains("Set the environment variable XDG_CACHE_HOME to a directory that you own");
            assertThat(master.process().waitFor()).isEqualTo(1);
        }
    }
}
