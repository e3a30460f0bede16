// SPDX-License-Identifier: Apache-2.0
package io.fiber.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code dev/release-check} in a small checkout that is ready for a release, and in one that lacks something. */
final class ReleaseCheckTest {

    private static final Path SCRIPT = Path.of("..", "dev", "release-check").toAbsolutePath();

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    private record Outcome(int code, String output) {}

    @BeforeEach
    void aCheckoutThatIsReady() throws Exception {
        Files.createDirectories(directory.resolve("checkout/dev"));
        Files.copy(SCRIPT, directory.resolve("checkout/dev/release-check"));
        String pom = "<project>\n  <version>1.2.3</version>\n</project>\n";
        write("checkout/pom.xml", pom);
        write("checkout/fiber-bom/pom.xml", pom);
        write("checkout/CHANGELOG.md", "# Changes\n\n## 1.2.3 (2027-01-31)\n");
        write("checkout/SECURITY.md", "Write to security@fiber.test.\n");
        write("checkout/CODE_OF_CONDUCT.md", "Write to conduct@fiber.test.\n");
        write("home/.m2/settings.xml", "<settings><servers><server><id>central</id></server></servers></settings>");
        Files.setPosixFilePermissions(
                write("bin/gpg", "#!/bin/sh\necho sec\n"), PosixFilePermissions.fromString("rwx------"));
        run("git", "init", "--quiet", "--initial-branch=main");
    }

    @Test
    void aCheckoutThatLacksNothingMayBeReleased() throws Exception {
        assertThat(check()).isEqualTo(new Outcome(0, "Nothing is in the way of: mvn -Prelease deploy\n"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"pom.xml", "fiber-bom/pom.xml", "SECURITY.md", "CODE_OF_CONDUCT.md"})
    void aReservedAddressIsRefused(String file) throws Exception {
        append(file, "<!-- https://fiber.example.org/ -->\n");

        assertThat(check())
                .isEqualTo(new Outcome(
                        1,
                        "These files have reserved addresses (example.org), because the project has no home yet: "
                                + file + "\n"));
    }

    @Test
    void aFileThatStillHasTheSnapshotIsNamed() throws Exception {
        write("checkout/README.md", "implementation 'io.fiber:fiber-api:1.2.3-SNAPSHOT'\n");

        assertThat(check()).isEqualTo(new Outcome(1, "These files have the version 1.2.3-SNAPSHOT: README.md\n"));
    }

    @Test
    void changesWithoutAVersionAreRefused() throws Exception {
        append("CHANGELOG.md", "\n## Unreleased\n");

        assertThat(check())
                .isEqualTo(new Outcome(1, "CHANGELOG.md has a section 'Unreleased': give it a version and a date.\n"));
    }

    private Outcome check() throws Exception {
        run("git", "add", "--all");
        run("git", "-c", "user.name=A", "-c", "user.email=a@fiber.test", "commit", "--quiet", "--message=all");
        return run("bash", "dev/release-check");
    }

    private Outcome run(String... words) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(words)
                .directory(directory.resolve("checkout").toFile())
                .redirectErrorStream(true);
        builder.environment().keySet().removeIf(name -> name.startsWith("GIT_"));
        builder.environment().put("GIT_CONFIG_GLOBAL", "/dev/null");
        builder.environment().put("HOME", directory.resolve("home").toString());
        builder.environment().put("PATH", directory.resolve("bin") + ":" + System.getenv("PATH"));
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        Outcome outcome = new Outcome(process.waitFor(), output);
        if (words[0].equals("git")) {
            assertThat(outcome.code()).as(output).isZero();
        }
        return outcome;
    }

    private void append(String file, String text) throws IOException {
        Path path = directory.resolve("checkout").resolve(file);
        Files.writeString(path, Files.readString(path) + text);
    }

    private Path write(String file, String content) throws IOException {
        Path path = directory.resolve(file);
        Files.createDirectories(path.getParent());
        return Files.writeString(path, content);
    }
}
