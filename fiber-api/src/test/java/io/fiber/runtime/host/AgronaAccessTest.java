// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.FiberException;
import io.fiber.spi.Provider;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each case is a JVM of its own, since what is exported once cannot be taken back. */
class AgronaAccessTest {

    private static final List<Integer> VERSIONS = List.of(17, 25);
    private static final String EXPORT = "java.base/jdk.internal.misc";

    @TempDir
    Path directory;

    private enum CodePath {
        CLASS_PATH("ALL-UNNAMED", "unnamed module"),
        MODULE_PATH("org.agrona", "module org.agrona");

        private final String reader;
        private final String shown;

        CodePath(String reader, String shown) {
            this.reader = reader;
            this.shown = shown;
        }
    }

    static Stream<Arguments> everyJdkAndPath() {
        return VERSIONS.stream()
                .flatMap(version -> Stream.of(CodePath.values()).map(path -> Arguments.of(version, path)));
    }

    @ParameterizedTest
    @MethodSource("everyJdkAndPath")
    void withoutFlagThePackageIsOpenedInProcess(int version, CodePath path) throws Exception {
        String output = run(version, path, List.of());

        assertThat(output).contains("used 42 exported before false by " + path.shown);
        System.out.println(
                "JDK " + version + " " + path + ": " + output.lines().toList().get(1));
    }

    @ParameterizedTest
    @MethodSource("everyJdkAndPath")
    void withFlagNothingIsToBeDone(int version, CodePath path) throws Exception {
        String flag = "--add-exports=" + EXPORT + "=" + path.reader;

        assertThat(run(version, path, List.of(flag, "-Dfiber.agrona.open=false")))
                .contains("used 42 exported before true by " + path.shown);
    }

    @ParameterizedTest
    @MethodSource("everyJdkAndPath")
    void switchedOffItIsAnErrorThatNamesTheFlag(int version, CodePath path) throws Exception {
        assertThat(run(version, path, List.of("-Dfiber.agrona.open=false")))
                .isEqualTo(
                        "FBR-110 This JVM does not export java.base/jdk.internal.misc to Agrona, whose buffers Fiber uses,"
                                + " and opening it in process is switched off (agrona.open=false from -Dfiber.agrona.open). Start"
                                + " the JVM with: --add-exports java.base/jdk.internal.misc=" + path.reader
                                + " . Ways to give it: on the command line, in the environment variable JDK_JAVA_OPTIONS, as"
                                + " 'Add-Exports: java.base/jdk.internal.misc' in the manifest of a jar that java -jar starts, in"
                                + " .mvn/jvm.config for exec:java, in <argLine> of Surefire. Workers get it by themselves.\n");
    }

    /** Runs the probe; standard error must be empty, whatever the case. */
    private String run(int version, CodePath path, List<String> options) throws Exception {
        Path java = installed().get(version);
        Assumptions.assumeTrue(java != null, () -> "no JDK " + version + " beside that of this test");
        List<String> command = new ArrayList<>(List.of(java.toString(), "-Xmx64m"));
        command.addAll(options);
        command.addAll(path == CodePath.CLASS_PATH ? classPath() : modulePath());
        Path output = directory.resolve("out");
        Path errors = directory.resolve("err");
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectOutput(output.toFile()).redirectError(errors.toFile());
        builder.environment().keySet().removeAll(List.of("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS"));
        Process process = builder.start();
        try {
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(errors).content().isEmpty();
        assertThat(process.exitValue()).isZero();
        return Files.readString(output);
    }

    private static List<String> classPath() {
        String path = Stream.of(AgronaAccessProbe.class, FiberException.class, Provider.class, DirectBuffer.class)
                .map(type -> placeOf(type).toString())
                .reduce((a, b) -> a + File.pathSeparator + b)
                .orElseThrow();
        return List.of("-cp", path, AgronaAccessProbe.class.getName());
    }

    private static List<String> modulePath() {
        String modules = Stream.of(FiberException.class, Provider.class, DirectBuffer.class)
                .map(type -> placeOf(type).toString())
                .reduce((a, b) -> a + File.pathSeparator + b)
                .orElseThrow();
        return List.of(
                "--module-path",
                modules,
                "--patch-module",
                "io.fiber=" + placeOf(AgronaAccessProbe.class),
                "-m",
                "io.fiber/" + AgronaAccessProbe.class.getName());
    }

    private static Path placeOf(Class<?> type) {
        return Path.of(URI.create(
                type.getProtectionDomain().getCodeSource().getLocation().toString()));
    }

    /** Returns the {@code java} of each JDK that stands beside the one that runs this test, and of that one. */
    private static Map<Integer, Path> installed() throws IOException {
        Path home = Path.of(System.getProperty("java.home")).toRealPath();
        Map<Integer, Path> found = new TreeMap<>();
        try (DirectoryStream<Path> siblings = Files.newDirectoryStream(home.getParent(), Files::isDirectory)) {
            for (Path sibling : siblings) {
                Path release = sibling.resolve("release");
                Path java = sibling.resolve("bin").resolve("java");
                if (Files.isRegularFile(release) && Files.isExecutable(java)) {
                    Files.readAllLines(release).stream()
                            .filter(line -> line.toUpperCase(Locale.ROOT).startsWith("JAVA_VERSION=\""))
                            .map(line -> line.substring("JAVA_VERSION=\"".length()))
                            .forEach(version -> found.put(leadingNumber(version), java));
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
