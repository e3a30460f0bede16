// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program that the JDK's launcher compiles in memory, by {@code java Main.java}: its classes are in no file. */
@Tag("slow")
class SourceProgramTest {

    private static final Path NEWER_JAVA = Path.of("/usr/lib/jvm/temurin-25-jdk-amd64/bin/java");

    private static final String MAIN = """
            import io.fiber.Fiber;
            import io.fiber.Pool;
            import io.fiber.RemoteTaskException;
            import java.util.List;

            public class Main {
                record Point(int x, int y) implements java.io.Serializable {}

                static class Odd extends RuntimeException {
                    Odd(String text) { super(text); }
                }

                static int square(int x) { return x * x; }

                static int even(int x) {
                    if (x % 2 == 1) { throw new Odd("odd: " + x); }
                    return x;
                }

                public static void main(String[] args) {
                    try (Fiber fiber = Fiber.open(); Pool pool = fiber.pool(2)) {
                        int offset = args.length;
                        System.out.println("squares " + pool.map(x -> square(x) + offset, List.of(1, 2, 3)));
                        System.out.println("points " + pool.map(p -> new Point(p.y(), p.x()), List.of(new Point(1, 2))));
                        try {
                            pool.apply(Main::even, 3);
                        } catch (RemoteTaskException e) {
                            System.out.println("failed " + (e.getCause() instanceof Odd odd ? odd.getMessage() : e));
                        }
                        OTHER
                    }
                }
            }
            """;

    @TempDir
    Path directory;

    private MasterJvm start(Path java, String other, String... options) throws Exception {
        Path source = Files.writeString(directory.resolve("Main.java"), MAIN.replace("OTHER", other));
        List<String> command = new ArrayList<>(List.of(java.toString(), "-Xmx192m", "-Djava.io.tmpdir=" + directory));
        command.addAll(List.of("-Dfiber.backend=local", "-Dfiber.cds=false"));
        command.addAll(List.of(options));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), source.toString(), "one"));
        return new MasterJvm(Map.of(), command);
    }

    private static void assertThatItWorks(MasterJvm program) {
        assertThat(program.awaitLine("squares ")).isEqualTo("[2, 5, 10]");
        assertThat(program.awaitLine("points ")).isEqualTo("[Point[x=2, y=1]]");
        assertThat(program.awaitLine("failed ")).isEqualTo("odd: 3");
    }

    @Test
    void programStartedFromItsSourceWorksWithoutASetting() throws Exception {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        try (MasterJvm program = start(java, "")) {
            assertThatItWorks(program);
            program.awaitEnd();
        }
    }

    @Test
    void programWhoseClassesStayNamesTheSettingThatSendsThem() throws Exception {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        try (MasterJvm program = start(java, "", "-Dfiber.remote-class-loading=off")) {
            assertThat(program.awaitEnd(1))
                    .filteredOn(line -> line.contains("FBR-202 "))
                    .first(STRING)
                    .endsWith(" is missing there. Put the jar or directory that contains it on the class path of the"
                            + " worker. If the program has the class only in memory (java Main.java, JShell), set"
                            + " remote-class-loading to on.");
        }
    }

    @Test
    void programOfSeveralSourceFilesWorksWithTheLauncherOfLaterJdks() throws Exception {
        assumeThat(NEWER_JAVA).isExecutable();
        Files.writeString(directory.resolve("Other.java"), """
                class Other {
                    static int twice(int x) { return 2 * x; }
                }
                """);
        try (MasterJvm program =
                start(NEWER_JAVA, "System.out.println(\"twice \" + pool.map(x -> Other.twice(x), List.of(4, 5)));")) {
            assertThatItWorks(program);
            assertThat(program.awaitLine("twice ")).isEqualTo("[8, 10]");
            program.awaitEnd();
        }
    }
}
