// SPDX-License-Identifier: Apache-2.0
package io.fiber.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script {@code test} in a checkout that has nothing else, with a Maven and a Java that do nothing. */
final class ScriptsTest {

    private static final Path SCRIPT = Path.of("../test").toAbsolutePath().normalize();
    private static final List<String> COMPILED = List.of(
            "fiber-spi/target/classes/A.class", "fiber-api/target/classes/B.class", "fiber-api/target/test-path");

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path checkout;

    @BeforeEach
    void whatWasCompiled() throws IOException {
        Files.copy(SCRIPT, checkout.resolve("test"));
        program("bin/mvn");
        program("bin/java");
        for (String file : COMPILED) {
            write(file, "");
        }
    }

    @Test
    void whatIsNotCheckedIsCompiledAnewWithAllThatNamesIt() throws Exception {
        write("fiber-spi/target/unchecked/pom.xml", "");

        test();

        assertThat(COMPILED)
                .allSatisfy(file -> assertThat(checkout.resolve(file)).doesNotExist());
        assertThat(checkout.resolve("fiber-spi/target/unchecked")).doesNotExist();
    }

    @Test
    void whatIsCheckedStays() throws Exception {
        test();

        assertThat(COMPILED)
                .allSatisfy(file -> assertThat(checkout.resolve(file)).exists());
    }

    private void test() throws Exception {
        ProcessBuilder builder = new ProcessBuilder("bash", "test", "-pl", "fiber-spi")
                .directory(checkout.toFile())
                .redirectErrorStream(true);
        builder.environment().put("JAVA_HOME", checkout.toString());
        builder.environment().put("PATH", checkout.resolve("bin") + ":" + System.getenv("PATH"));
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
    }

    private void program(String file) throws IOException {
        Files.setPosixFilePermissions(write(file, "#!/bin/sh\n"), PosixFilePermissions.fromString("rwx------"));
    }

    private Path write(String file, String content) throws IOException {
        Path path = checkout.resolve(file);
        Files.createDirectories(path.getParent());
        return Files.writeString(path, content);
    }
}
