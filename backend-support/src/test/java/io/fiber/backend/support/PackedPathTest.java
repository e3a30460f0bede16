// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.backend.support.PackedPath.Packed;
import io.fiber.spec.Secret;
import io.fiber.spi.backend.JobRejectedException;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.Program;
import io.fiber.spi.backend.Submission;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is sent for a class path. */
class PackedPathTest {

    @TempDir
    Path directory;

    private Path scratch = Path.of("");

    @BeforeEach
    void makeScratch() throws IOException {
        scratch = Files.createDirectory(directory.resolve("scratch"));
    }

    private PackedPath packed() {
        return new PackedPath(scratch, "FBR-159", "the login node");
    }

    private Path jar(String name, String classPath) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, classPath);
        Path jar = directory.resolve(name);
        Files.createDirectories(jar.getParent());
        try (OutputStream out = Files.newOutputStream(jar)) {
            new JarOutputStream(out, manifest).close();
        }
        return jar;
    }

    private Path classes(String name, String content) throws IOException {
        Path classes = Files.createDirectories(directory.resolve(name));
        Files.createDirectories(classes.resolve("a/b"));
        Files.writeString(classes.resolve("a/b/C.class"), content);
        return classes;
    }

    @Test
    void directoryBecomesAJarWhoseNameComesFromItsContentAlone() throws IOException {
        try (PackedPath first = packed();
                PackedPath second = packed()) {
            Packed one =
                    first.classPath(List.of(classes("one", "x").toString())).get(0);
            Packed same =
                    second.classPath(List.of(classes("two", "x").toString())).get(0);
            Packed other =
                    second.classPath(List.of(classes("three", "y").toString())).get(0);

            assertThat(one.name()).isEqualTo("one.jar");
            assertThat(one.hash()).hasSize(64).isEqualTo(same.hash()).isNotEqualTo(other.hash());
            try (JarFile jar = new JarFile(one.file().toFile())) {
                assertThat(jar.stream().map(Object::toString)).containsExactly("a/", "a/b/", "a/b/C.class");
            }
        }
        assertThat(scratch).isEmptyDirectory();
    }

    @Test
    void classThatWasCompiledAnewIsSentAnew() throws IOException {
        try (PackedPath packed = packed()) {
            Path classes = classes("classes", "x");
            String before = packed.classPath(List.of(classes.toString())).get(0).hash();
            assertThat(packed.classPath(List.of(classes.toString())).get(0).hash())
                    .isEqualTo(before);

            classes("classes", "longer");
            assertThat(packed.classPath(List.of(classes.toString())).get(0).hash())
                    .isNotEqualTo(before);
        }
    }

    @Test
    void wildcardsAndManifestsAreFollowedAndWhatIsMissingIsLeftOut() throws IOException {
        jar("lib/b.jar", "");
        jar("lib/a.jar", "");
        Path main = jar("main.jar", "lib/b.jar gone.jar main.jar C:\\lib\\a.jar http://there/a.jar");
        Path text = Files.writeString(directory.resolve("text"), "no jar");
        try (PackedPath packed = packed()) {
            assertThat(packed.classPath(List.of(
                            main.toString(),
                            directory.resolve("gone").toString(),
                            directory.resolve("gone") + "/*",
                            text.toString(),
                            directory.resolve("lib") + "/*")))
                    .extracting(Packed::name)
                    .containsExactly("main.jar", "b.jar", "text", "a.jar");
        }
    }

    @Test
    void modulePathIsJarsAndModulesInDirectories() throws IOException {
        jar("mods/m.jar", "");
        Path exploded = Files.createDirectory(directory.resolve("exploded"));
        Files.createFile(exploded.resolve("module-info.class"));
        try (PackedPath packed = packed()) {
            assertThat(packed.modulePath(List.of(directory.resolve("mods").toString(), exploded.toString())))
                    .extracting(Packed::name)
                    .containsExactly("m.jar", "exploded.jar");
        }
    }

    @Test
    void entryThatCannotBePackedIsNamed() throws IOException {
        Path classes = classes("classes", "x");
        Path gone = directory.resolve("no such directory");
        try (PackedPath packed = new PackedPath(gone, "FBR-178", "pods")) {
            assertThatThrownBy(() -> packed.classPath(List.of(classes.toString())))
                    .isInstanceOf(JobRejectedException.class)
                    .hasMessageStartingWith("FBR-178 The entry '" + classes
                            + "' of the class path cannot be sent to pods: java.nio.file.NoSuchFileException: " + gone)
                    .hasMessageEndingWith(". Every entry must be a jar or a directory that this program can read.");
        }
    }

    private Path jarOfModule(String name, String module) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(new Attributes.Name("Automatic-Module-Name"), module);
        Path jar = directory.resolve(name);
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest)) {
            for (String entry : List.of("my/backend/Provider.class", "my/backend/shaded/Client.class")) {
                out.putNextEntry(new ZipEntry(entry));
                out.write(entry.getBytes(StandardCharsets.UTF_8));
                out.closeEntry();
            }
        }
        return jar;
    }

    private static Submission told(String what) {
        JobSpec spec = JobSpec.builder(new Program.Command(List.of("any"))).build();
        return Submission.of(spec, "job", Secret.of(what.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void workerGetsNoClientLibrariesOfTheBackend() throws IOException {
        Path backend = jarOfModule("backend.jar", "my.backend");
        Path shaded = jarOfModule("all-in-one.jar", "my.program");
        Path text = Files.writeString(directory.resolve("text.jar"), "no jar, which Java passes over");
        List<String> entries = List.of(backend.toString(), shaded.toString(), text.toString());
        Program.Java program = new Program.Java(Optional.empty(), List.of(), entries, List.of(), "a.B", List.of());
        try (PackedPath packed = packed()) {
            List<Packed> whole = packed.classPath(told(""), program, "my.backend");
            List<Packed> ofWorker = packed.classPath(told("what a worker is told"), program, "my.backend");

            assertThat(ofWorker.subList(1, 3)).isEqualTo(whole.subList(1, 3));
            assertThat(ofWorker.get(0).name()).isEqualTo("backend.jar");
            assertThat(ofWorker.get(0).hash()).isNotEqualTo(whole.get(0).hash());
            try (JarFile jar = new JarFile(ofWorker.get(0).file().toFile())) {
                assertThat(jar.stream().map(entry -> entry.getName()))
                        .containsExactly("META-INF/MANIFEST.MF", "my/backend/Provider.class");
                assertThat(jar.getInputStream(jar.getEntry("my/backend/Provider.class")))
                        .hasContent("my/backend/Provider.class");
            }
            assertThat(whole).isEqualTo(packed.classPath(entries));
            assertThat(packed.classPath(told("another"), program, "my.backend")).isEqualTo(ofWorker);
        }
        assertThat(scratch).isEmptyDirectory();
    }
}
