// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.fiber.Fiber;
import io.fiber.Pool;
import io.fiber.tck.fault.Sandbox;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs where containers and shells differ from a workstation. */
@Tag("slow")
class UnusualHostTest {

    private static final String SMALL_SHARED_MEMORY = "mount -t tmpfs -o size=64m tmpfs /dev/shm && exec \"$@\"";

    @TempDir
    Path tmp;

    /** Opens two sessions, one after the other. */
    static final class Program {

        private Program() {}

        static int twice(int item) {
            return 2 * item;
        }

        public static void main(String[] args) {
            for (int i = 0; i < 2; i++) {
                try (Fiber fiber = Fiber.builder().set("fiber.cds", "false").open();
                        Pool pool = fiber.pool(1)) {
                    System.out.println(pool.map(Program::twice, IntStream.range(0, 3)));
                }
            }
        }
    }

    /** As a runtime image that jlink has made of the modules that Fiber needs. */
    @Test
    @Tag("slow")
    void aProgramWorksWithoutTheFlightRecorder() throws Exception {
        List<String> options = List.of(
                "--limit-modules=java.base,jdk.unsupported",
                "-Dfiber.worker.jvm-options=--limit-modules=java.base,jdk.unsupported");

        assertThat(withoutNotices(outputOf(Map.of(), MasterJvm.command(tmp, options, Program.class))))
                .isEqualTo("[0, 2, 4]\n[0, 2, 4]\n".replace("\n", System.lineSeparator()));
    }

    @Test
    @Tag("slow")
    void aClassPathMayBeLongerThanAWordOfACommandLine() throws Exception {
        Path folder = Files.createDirectory(tmp.resolve("a folder \"of\" jars"));
        StringBuilder classPath = new StringBuilder(System.getProperty("java.class.path"));
        for (int i = 0; i < 2_400; i++) {
            classPath
                    .append(File.pathSeparator)
                    .append(folder.resolve("a-library-with-a-name-as-long-as-others-" + i + ".jar"));
        }
        List<String> command = new ArrayList<>(MasterJvm.command(tmp, List.of(), Program.class));
        int path = command.indexOf("-cp") + 1;
        Path arguments = Files.writeString(
                tmp.resolve("arguments"),
                '"' + classPath.toString().replace("\\", "\\\\").replace("\"", "\\\"") + '"');
        command.set(path, "@" + arguments);

        assertThat(classPath.length()).isGreaterThan(128 << 10);
        assertThat(withoutNotices(outputOf(Map.of(), command)))
                .isEqualTo("[0, 2, 4]\n[0, 2, 4]\n".replace("\n", System.lineSeparator()));
    }

    private String outputOf(Map<String, String> environment, List<String> words) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
        builder.environment().putAll(environment);
        Process process = builder.start();
        try {
            process.getOutputStream().close();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
            return output;
        } finally {
            process.destroyForcibly();
        }
    }

    /** On a busy machine a close may take longer than five seconds, and says so. */
    private static String withoutNotices(String output) {
        return output.replaceAll("(?m)^.*\\R.*FBR-409 .*\\R", "");
    }

    private static List<String> inSmallSharedMemory(Path directory) {
        assumeThat(Sandbox.obstacle()).as("obstacle to a sandbox").isEmpty();
        List<String> words = new ArrayList<>(List.of("unshare", "-m", "sh", "-c", SMALL_SHARED_MEMORY, "sh"));
        words.addAll(MasterJvm.command(directory, List.of("-Xmx64m"), Program.class));
        return words;
    }

    private Path umlaut() throws IOException {
        assumeThat(System.getProperty("sun.jnu.encoding"))
                .as("encoding of names of files")
                .isEqualTo("UTF-8");
        return Files.createDirectory(tmp.resolve("T\u00fcr"));
    }

    @Test
    void variablesOfOtherProgramsAreWarnedOfOnce() throws Exception {
        String output =
                outputOf(Map.of("FIBER_HOME", "/opt/fiber"), MasterJvm.command(tmp, List.of("-Xmx64m"), Program.class));

        assertThat(output)
                .containsOnlyOnce("FBR-125 The environment variable FIBER_HOME is not a setting of Fiber and is"
                        + " ignored. If it belongs to another program, ignore this warning. docs/configuration.md"
                        + " lists every setting.")
                .contains("[0, 2, 4]");
    }

    @Test
    void directoryWithAnUmlautBesideSmallSharedMemoryIsUsed() throws Exception {
        String output = outputOf(Map.of("LC_ALL", "C.UTF-8"), inSmallSharedMemory(umlaut()));

        assertThat(withoutNotices(output).lines()).containsExactly("[0, 2, 4]", "[0, 2, 4]");
    }

    @Test
    void directoryThatTheEncodingCannotWriteIsRefusedWithWhatToDo() throws Exception {
        Path directory = umlaut();
        String output = outputOf(
                Map.of("LC_ALL", "POSIX", "D", directory.toString()),
                List.of(
                        "sh",
                        "-c",
                        "exec \"$0\" -Xmx64m -Djava.io.tmpdir=\"$D\" -cp \"$1\" \"$2\"",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        System.getProperty("java.class.path"),
                        Program.class.getName()));

        assertThat(output)
                .contains("FBR-126 The temporary directory '")
                .contains("(from java.io.tmpdir) cannot be used: this JVM writes file names in ANSI_X3.4-1968, which"
                        + " lacks a character of this name. Set LC_ALL=C.UTF-8 before the JVM starts, or set"
                        + " -Djava.io.tmpdir to a directory whose name has only ASCII characters.");
    }
}
