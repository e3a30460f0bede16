// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.FiberException;
import io.fiber.spi.backend.Program;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MasterProgramTest {

    private static final String HERE = Path.of("").toAbsolutePath().toString();

    @Test
    void javaIsTakenApart() {
        Program program = of(
                "java",
                "-Xmx1g",
                "--add-opens",
                "a/b=c",
                "-cp",
                "x.jar" + File.pathSeparator + "/y",
                "my.Main",
                "-v",
                "z");

        assertThat(program)
                .isEqualTo(new Program.Java(
                        Optional.empty(),
                        List.of("-Xmx1g", "--add-opens", "a/b=c"),
                        List.of(HERE + "/x.jar", "/y"),
                        List.of(),
                        "my.Main",
                        List.of("-v", "z")));
    }

    @Test
    void aJavaWithAPathIsKept() {
        assertThat(of("/opt/jdk/bin/java", "--class-path=/a", "my.Main"))
                .isInstanceOfSatisfying(Program.Java.class, java -> {
                    assertThat(java.executable()).hasValue("/opt/jdk/bin/java");
                    assertThat(java.classPath()).containsExactly("/a");
                });
    }

    @Test
    void modulesGoByTheModulePath() {
        assertThat(of("java", "-p", "/mods", "--add-modules", "c", "-m", "a/b.Main", "1"))
                .isInstanceOfSatisfying(Program.Java.class, java -> {
                    assertThat(java.modulePath()).containsExactly("/mods");
                    assertThat(java.main()).isEqualTo("a/b.Main");
                    assertThat(java.arguments()).containsExactly("1");
                });
    }

    @Test
    void withoutAClassPathTheDefaultCounts() {
        assertThat(of("java", "my.Main"))
                .isInstanceOfSatisfying(
                        Program.Java.class, java -> assertThat(java.classPath()).containsExactly("/default"));
    }

    @Test
    void aStarStandsForTheJarsOfADirectory(@TempDir Path directory) throws Exception {
        for (String name : List.of("b.jar", "a.JAR", "c.txt")) {
            Files.createFile(directory.resolve(name));
        }

        assertThat(of("java", "-cp", directory + "/*", "my.Main"))
                .isInstanceOfSatisfying(
                        Program.Java.class,
                        java -> assertThat(java.classPath())
                                .containsExactly(
                                        directory.resolve("a.JAR").toString(),
                                        directory.resolve("b.jar").toString()));
    }

    @Test
    void whatIsNoMainClassOfAClassPathStaysACommand() {
        for (List<String> words : List.of(
                List.of("nvidia-smi"),
                List.of("java", "-version"),
                List.of("java", "-cp", "x.jar", "--dry-run", "my.Main"),
                List.of("java", "--source=17", "hello", "7"),
                List.of("java", "Hello.java"),
                List.of("java", "-Xmx1g", "Hello.java", "7"),
                List.of("java", "@file"),
                List.of("java", "-cp", "@file"),
                List.of("java", "-cp", "@file", "my.Main"),
                List.of("java", "-jar", "@file"),
                List.of("java", "-m", "@file"))) {
            assertThat(MasterProgram.of(words, "/default")).isEqualTo(new Program.Command(words));
        }
    }

    @Test
    void whatTheProgramIsToldIsNotTakenForAnOptionOfJava(@TempDir Path directory) throws Exception {
        String jar = runnable(directory.resolve("train.jar")).toString();
        List<String> told = List.of("--dry-run", "-d", "out", "-h", "--version", "@list", "Input.java");

        for (List<String> start : List.of(
                List.of("java", "-Dinput=Input.java", "-cp", "x.jar", "my.Main"),
                List.of("java", "-jar", jar),
                List.of("java", "-p", "/mods", "-m", "my/my.Main"),
                List.of("java", "-p", "/mods", "--module=my/my.Main"))) {
            assertThat(MasterProgram.of(words(start, told), "/default"))
                    .as(start.toString())
                    .isInstanceOfSatisfying(
                            Program.Java.class,
                            java -> assertThat(java.arguments()).isEqualTo(told));
        }
        assertThatThrownBy(() -> look("java", "-cp", "/no/my-1.jr", "My", "--dry-run"))
                .hasMessageStartingWith("FBR-531 No part of the class path of My");
        assertThatThrownBy(() -> look("java", "-jar", "/no/train.jar", "@list"))
                .hasMessageStartingWith("FBR-531 The file '/no/train.jar' of -jar cannot be run");
    }

    private static Path runnable(Path file) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, "my.Main");
        new JarOutputStream(Files.newOutputStream(file), manifest).close();
        return file;
    }

    private static List<String> words(List<String> first, List<String> second) {
        return Stream.concat(first.stream(), second.stream()).toList();
    }

    @Test
    void aJarThatCannotBeRunIsRefused(@TempDir Path directory) {
        String file = directory.resolve("missing.jar").toString();

        assertThatThrownBy(() -> of("java", "-jar", file))
                .isInstanceOf(FiberException.class)
                .hasMessageStartingWith("FBR-531 The file '" + file + "' of -jar cannot be run: ");
        assertThatThrownBy(() -> of("java", "-jar"))
                .hasMessageStartingWith("FBR-532 The command [java, -jar] ends after '-jar'; expected a main class");
    }

    @Test
    void aProgramOfWhichNothingIsHereIsRefusedWithTheNamesAndWhereTheyStand() {
        String place = ". Expected jars or directories, which are sent with the job; relative names start at '" + HERE
                + "'. Correct the names. Start a program that is in its image like any other command: sh -c 'exec"
                + " java ...'";

        assertThatThrownBy(() -> look("java", "-cp", "/no/my-1.jr" + File.pathSeparator + "/no/lib/*", "My"))
                .isInstanceOf(FiberException.class)
                .hasMessage("FBR-531 No part of the class path of My exists on this host: there is no '/no/my-1.jr'"
                        + " (from -cp), '/no/lib/*' (from -cp)" + place);
        assertThatThrownBy(() -> MasterProgram.look(List.of("java", "-cp", "/no/lib/*", "My"), ".", line -> {}))
                .as("what is named is not replaced by the default")
                .hasMessageContaining(" there is no '/no/lib/*' (from -cp). ");
        assertThatThrownBy(() -> look("java", "-p", "/no/mods", "-m", "a/b.Main"))
                .hasMessage("FBR-531 No part of the class path of a/b.Main exists on this host: there is no"
                        + " '/no/mods' (from -p)"
                        + place);
        assertThatThrownBy(() -> look("java", "My"))
                .hasMessage("FBR-531 No part of the class path of My exists on this host: there is no '/default'"
                        + " (from the variable CLASSPATH)" + place);
    }

    @Test
    void entriesThatAreMissingBesideOthersAreTold(@TempDir Path directory) throws Exception {
        Path jar = Files.createFile(directory.resolve("app.jar"));
        Path empty = Files.createDirectory(directory.resolve("lib"));
        String entries = String.join(File.pathSeparator, "/no/a.jar", jar.toString(), empty + "/*", empty.toString());

        assertThat(look("java", "-cp", entries, "-p", "/no/mods", "My"))
                .containsExactly("warning: there is no '/no/a.jar' (from -cp), '" + empty
                        + "/*' (from -cp), '/no/mods' (from -p); java silently ignores missing entries");
        assertThat(look("java", "-cp", "/no/a.jar", "-cp", jar + File.pathSeparator, "My"))
                .as("the last class path counts, and an empty entry is the directory")
                .isEmpty();
        assertThat(look("java", "-m", "jdk.httpserver")).isEmpty();
        assertThat(look("java", "-cp", "/no/a.jar", "-version")).isEmpty();
        assertThat(look("nvidia-smi")).isEmpty();
    }

    private static List<String> look(String... words) {
        List<String> said = new ArrayList<>();
        MasterProgram.look(List.of(words), "/default", said::add);
        return said;
    }

    private static Program of(String... words) {
        return MasterProgram.of(List.of(words), "/default");
    }
}
