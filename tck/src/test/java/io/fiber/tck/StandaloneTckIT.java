// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.tck.host.JavaCommand;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The standalone jar as its user runs it: a child process, two jars, no test class. */
@Tag("slow")
@Execution(ExecutionMode.CONCURRENT)
final class StandaloneTckIT {

    private static final String SERVICE = "META-INF/services/io.fiber.spi.backend.BackendProvider";

    @TempDir
    Path directory;

    private record Outcome(int code, String output) {}

    private Outcome run(Path backendJar, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                JavaCommand.executable(),
                "-Xmx256m",
                "-cp",
                System.getProperty("tck.standalone.jar") + ":" + backendJar,
                StandaloneTck.class.getName()));
        command.addAll(List.of(arguments));
        Path log = directory.resolve("log");
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            assertThat(process.waitFor(3, TimeUnit.MINUTES))
                    .as("the kit ends in time")
                    .isTrue();
            return new Outcome(process.exitValue(), Files.readString(log));
        } finally {
            process.destroyForcibly();
        }
    }

    /** Makes a jar of the classes of a package and a registration. */
    private Path jar(String packageName, String provider) throws IOException {
        return jar(SERVICE, packageName, provider);
    }

    private Path jar(String service, String packageName, String provider) throws IOException {
        Path jar = directory.resolve("backend.jar");
        Path classes = Path.of("target", "test-classes");
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream out = new JarOutputStream(file)) {
            out.putNextEntry(new JarEntry(service));
            out.write(provider.getBytes(StandardCharsets.UTF_8));
            try (Stream<Path> paths = Files.walk(classes)) {
                String folder = packageName.replace('.', '/') + "/";
                for (Path path : paths.filter(each -> each.toString().contains(folder))
                        .filter(each -> each.toString().endsWith(".class"))
                        .filter(each -> !each.getFileName().toString().contains("Test"))
                        .toList()) {
                    out.putNextEntry(new JarEntry(classes.relativize(path).toString()));
                    Files.copy(path, out);
                }
            }
        }
        return jar;
    }

    @Test
    void bareBackendJarIsReported() throws Exception {
        assertThatAKilledMasterIsAllThatTinyFails("--clause", "BKD-203", "--clause", "BKD-302", "--clause", "BKD-611");
    }

    /** Each of some hundred jobs is a JVM that opens the standalone jar. */
    @Test
    @Tag("soak")
    void bareBackendJarPasses() throws Exception {
        assertThatAKilledMasterIsAllThatTinyFails();
    }

    /** The tiny backend has no reaper. */
    private void assertThatAKilledMasterIsAllThatTinyFails(String... clauses) throws Exception {
        Path jar = jar("io.fiber.tck.example", "io.fiber.tck.example.TinyBackendProvider");
        List<String> words = new ArrayList<>(List.of("--backend", "tiny", "--start-limit", "40s"));
        words.addAll(List.of(
                "--orphan-limit", "2s", "--report", directory.resolve("report").toString()));
        words.addAll(List.of(clauses));
        Outcome outcome = run(jar, words.toArray(String[]::new));
        assertThat(outcome.output()).contains("1 failed").contains("| BKD-203 | passed |", "| BKD-611 | failed |");
        assertThat(outcome.code()).isEqualTo(1);
        assertThat(directory.resolve("report/tiny.json")).content().contains("\"subject\": \"tiny\"");
    }

    @Test
    void simulatedBackendPasses() throws Exception {
        Path jar = jar("io.fiber.tck.none", "io.fiber.tck.simulated.SimulatedBackendProvider");
        Outcome outcome = run(jar, "--backend", "simulated");
        assertThat(outcome.output()).contains("0 failed").contains("| BKD-201 | passed |");
        assertThat(outcome.code()).isZero();
        assertThat(directory.resolve("target/fiber-tck/simulated.md")).exists();
    }

    @Test
    void oneClauseIsTestedAlone() throws Exception {
        Path jar = jar("io.fiber.tck.none", "io.fiber.tck.simulated.SimulatedBackendProvider");
        Outcome outcome = run(jar, "--backend", "simulated", "--clause", "BKD-203");
        assertThat(outcome.output()).contains("1 passed, 0 failed, 0 skipped.").contains("| BKD-203 | passed |");
        assertThat(outcome.code()).isZero();
    }

    @Test
    void unknownClauseIsRefused() throws Exception {
        Path jar = jar("io.fiber.tck.none", "io.fiber.tck.simulated.SimulatedBackendProvider");
        Outcome outcome = run(jar, "--backend", "simulated", "--clause", "BKD-2");
        assertThat(outcome.code()).isEqualTo(2);
        assertThat(outcome.output())
                .isEqualTo("There is no clause 'BKD-2' (from fiber.tck.clauses or --clause). Expected the number of a"
                        + " clause, such as BKD-203 or TRN-201.\n");
    }

    @Test
    void transportIsTestedToo() throws Exception {
        Path jar = jar(
                "META-INF/services/io.fiber.spi.transport.TransportProvider",
                "io.fiber.tck.none",
                "io.fiber.tck.memory.MemoryTransportProvider");
        Outcome outcome =
                run(jar, "--transport", "memory", "--clause", "TRN-201", "--clause", "TRN-203", "--clause", "TRN-304");
        assertThat(outcome.output()).contains("3 passed, 0 failed, 0 skipped.").contains("| TRN-304 | passed |");
        assertThat(outcome.code()).isZero();
    }

    @Test
    void unknownBackendIsNamedWithThoseFound() throws Exception {
        Path jar = jar("io.fiber.tck.example", "io.fiber.tck.example.TinyBackendProvider");
        Outcome outcome = run(jar, "--backend", "tyni");
        assertThat(outcome.code()).isEqualTo(2);
        assertThat(outcome.output()).isEqualTo("No backend 'tyni' (from --backend). On the class path: [tiny].\n");
    }

    @Test
    void unknownOptionOfBackendIsRefused() throws Exception {
        Path jar = jar("io.fiber.tck.example", "io.fiber.tck.example.TinyBackendProvider");
        Outcome outcome = run(jar, "--backend", "tiny", "--option", "size=3");
        assertThat(outcome.code()).isEqualTo(2);
        assertThat(outcome.output()).isEqualTo("Unknown option 'size' (from --option) of 'tiny'. Valid options: [].\n");
    }

    @Test
    void helpDocumentsExitCodes() throws Exception {
        Outcome outcome = run(directory, "--help");
        assertThat(outcome.code()).isZero();
        assertThat(outcome.output()).contains("Exit code: 0 every clause passed");
    }
}
