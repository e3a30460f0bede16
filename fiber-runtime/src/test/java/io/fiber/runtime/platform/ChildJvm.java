// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.platform;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.FiberException;
import io.fiber.runtime.config.ConfigKey;
import io.fiber.spi.Provider;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.Assumptions;

/** Runs a main class of these tests in a JVM of its own, of a chosen JDK, from the class path or the module path. */
public final class ChildJvm {

    /** How the child finds its classes. */
    public enum CodePath {
        CLASS_PATH("ALL-UNNAMED", "unnamed module"),
        MODULE_PATH("org.agrona", "module org.agrona");

        private final String reader;
        private final String shown;

        CodePath(String reader, String shown) {
            this.reader = reader;
            this.shown = shown;
        }

        /** Returns how an option of the JVM calls Agrona's module. */
        String reader() {
            return reader;
        }

        /** Returns how Agrona's module shows itself. */
        String shown() {
            return shown;
        }
    }

    private final Path directory;
    private final Class<?> main;
    private final Path[] providers;

    /** Creates a child that writes into {@code directory} and sees the jars {@code providers}. */
    public ChildJvm(Path directory, Class<?> main, Path... providers) {
        this.directory = directory;
        this.main = main;
        this.providers = providers.clone();
    }

    /** Returns standard output; standard error must be empty. Skips the test when there is no such JDK. */
    public String run(int version, CodePath path, List<String> options) throws IOException, InterruptedException {
        Path java = installed().get(version);
        Assumptions.assumeTrue(java != null, () -> "no JDK " + version + " beside that of this test");
        List<String> command = new ArrayList<>(List.of(String.valueOf(java), "-Xmx64m"));
        command.addAll(options);
        command.addAll(path == CodePath.CLASS_PATH ? classPath() : modulePath());
        Path output = directory.resolve("out");
        Path errors = directory.resolve("err");
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectOutput(output.toFile()).redirectError(errors.toFile());
        builder.environment().keySet().removeAll(List.of("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS"));
        Process process = builder.start();
        try {
            assertThat(process.waitFor(150, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(errors).content().isEmpty();
        assertThat(process.exitValue()).isZero();
        return Files.readString(output);
    }

    private List<String> classPath() {
        return List.of("-cp", placeOf(main) + File.pathSeparator + jars(), main.getName());
    }

    private List<String> modulePath() {
        return List.of(
                "--module-path",
                jars(),
                "--patch-module",
                "io.fiber.runtime=" + placeOf(main),
                "-m",
                "io.fiber.runtime/" + main.getName());
    }

    private String jars() {
        return Stream.concat(
                        Stream.of(FiberException.class, ConfigKey.class, Provider.class, DirectBuffer.class)
                                .map(ChildJvm::placeOf),
                        Stream.of(providers))
                .map(Path::toString)
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static Path placeOf(Class<?> type) {
        return Path.of(URI.create(
                type.getProtectionDomain().getCodeSource().getLocation().toString()));
    }

    /** Returns the {@code java} of each JDK that stands beside the one that runs this test, and of that one. */
    private static Map<Integer, Path> installed() throws IOException {
        Path home = Path.of(System.getProperty("java.home")).toRealPath();
        String marker = "JAVA_VERSION=\"";
        Map<Integer, Path> found = new TreeMap<>();
        try (DirectoryStream<Path> siblings = Files.newDirectoryStream(home.resolve(".."), Files::isDirectory)) {
            for (Path sibling : siblings) {
                Path release = sibling.resolve("release");
                Path java = sibling.resolve("bin").resolve("java");
                if (Files.isRegularFile(release) && Files.isExecutable(java)) {
                    Files.readAllLines(release).stream()
                            .filter(line -> line.startsWith(marker))
                            .forEach(line -> found.put(leadingNumber(line.substring(marker.length())), java));
                }
            }
        }
        found.put(Runtime.version().feature(), home.resolve("bin").resolve("java"));
        return found;
    }

    private static int leadingNumber(String version) {
        int digits = 0;
        while (Character.isDigit(version.charAt(digits))) {
            digits++;
        }
        return Integer.parseInt(version.substring(0, digits));
    }
}
