// SPDX-License-Identifier: Apache-2.0
package io.fiber.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Machines that run tests are often root's; users are not. Where these tests run as root, an example runs as somebody who
 * owns nothing on this machine; else every test does that.
 */
@Tag("slow")
final class UnprivilegedUserTest {
    private static final long LIMIT_SECONDS = 100;
    private static final String NOBODY = "65534";

    private Path directory;

    @BeforeEach
    void makeDirectory() throws IOException {
        assumeThat(System.getProperty("user.name")).as("user").isEqualTo("root");
        assumeThat(Path.of("/usr/bin/setpriv"))
                .as("the program that changes the user")
                .exists();
        directory = Files.createTempDirectory("fiber-nobody-");
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
    }

    @AfterEach
    void removeDirectory() throws IOException {
        if (directory != null) {
            try (Stream<Path> tree = Files.walk(directory)) {
                tree.sorted((a, b) -> b.compareTo(a)).map(Path::toFile).forEach(File::delete);
            }
        }
    }

    @Test
    void piEstimationComesNearPi() throws Exception {
        List<String> command = List.of(
                "/usr/bin/setpriv",
                "--reuid=" + NOBODY,
                "--regid=" + NOBODY,
                "--clear-groups",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                readableClassPath(),
                PiEstimation.class.getName(),
                "100000",
                "2");
        Path out = directory.resolve("out");
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start();
        try {
            boolean hasEnded = process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS);
            assertThat(hasEnded)
                    .as("ended; it printed:\n%s", Files.readString(out))
                    .isTrue();
            assertThat(ExampleProgram.withoutNotices(Files.readString(out)).lines())
                    .singleElement()
                    .asString()
                    .startsWith("Pi is roughly 3.1");
            assertThat(process.exitValue()).isZero();
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    /** What root has in its home is nobody's. */
    private String readableClassPath() throws IOException {
        List<String> copies = new ArrayList<>();
        for (String entry : ExampleProgram.withoutAeron().split(File.pathSeparator, -1)) {
            Path source = Path.of(entry);
            if (Files.exists(source)) {
                Path copy = directory.resolve(copies.size() + "-" + source.getFileName());
                copyTree(source, copy);
                copies.add(copy.toString());
            }
        }
        return String.join(File.pathSeparator, copies);
    }

    private static void copyTree(Path source, Path copy) throws IOException {
        try (Stream<Path> tree = Files.walk(source)) {
            for (Path each : tree.toList()) {
                Path target = copy.resolve(source.relativize(each).toString());
                Files.copy(each, target);
                Files.setPosixFilePermissions(
                        target, PosixFilePermissions.fromString(Files.isDirectory(each) ? "rwxr-xr-x" : "rw-r--r--"));
            }
        }
    }
}
