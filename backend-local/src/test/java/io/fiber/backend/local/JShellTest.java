// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Interactive use, with the JDK's own shell: what is defined there travels to workers. */
@Tag("slow")
class JShellTest {

    /** What one shell printed for all tests but the last: it takes seconds to start. */
    private static List<String> printed = List.of();

    @BeforeAll
    static void useAShell(@TempDir Path directory) {
        List<String> snippets = new ArrayList<>(List.of("System.out.println(fiber);", "var pool = fiber.pool(2);"));
        snippets.addAll(DEFINITIONS);
        snippets.addAll(REDEFINITIONS);
        snippets.addAll(NEEDS);
        snippets.addAll(PROCESSES);
        printed = new JShellSession(directory).run(snippets.toArray(String[]::new));
    }

    private static final List<String> DEFINITIONS = List.of(
            "int square(int x) { return x * x; }",
            "record Point(int x, int y) implements java.io.Serializable {}",
            "int offset = 100;",
            "System.out.println(\"squares \" + pool.map(x -> square(x), List.of(1, 2, 3, 4)));",
            "System.out.println(\"offset \" + pool.map(x -> square(x) + offset, List.of(1, 2)));",
            "System.out.println(\"points \" + pool.map(x -> new Point(x, square(x)), List.of(5, 6)));",
            "System.out.println(\"sum \" + pool.map(p -> p.x() + p.y(), List.of(new Point(1, 2), new Point(3, 4))));",
            "offset = 1000;",
            "System.out.println(\"offset \" + pool.map(x -> square(x) + offset, List.of(1, 2)));");

    @Test
    void methodsLambdasVariablesAndRecordsOfTheShellWorkInAPool() {
        assertThat(printed)
                .contains(
                        "Fiber[main, local]",
                        "squares [1, 4, 9, 16]",
                        "offset [101, 104]",
                        "points [Point[x=5, y=25], Point[x=6, y=36]]",
                        "sum [3, 7]",
                        "offset [1001, 1004]");
    }

    private static final List<String> REDEFINITIONS = List.of(
            "int f(int x) { return x + 1; }",
            "int g(int x) { return f(x) * 10; }",
            "System.out.println(\"first \" + pool.map(x -> g(x), List.of(1, 2, 3)));",
            "int f(int x) { return x + 100; }",
            "System.out.println(\"second \" + pool.map(x -> g(x), List.of(1, 2, 3)));",
            "long f(long x) { return x + 7; }",
            "int f(int x) { return x - 1; }",
            "System.out.println(\"third \" + pool.map(x -> g(x), List.of(1, 2, 3)));");

    @Test
    void redefinedMethodIsTheOneThatWorkersRun() {
        assertThat(printed).contains("first [20, 30, 40]", "second [1010, 1020, 1030]", "third [0, 10, 20]");
    }

    private static final List<String> NEEDS = List.of(
            "@Needs(gpus = 1) int render(int x) { return x; }",
            "try (var gpus = fiber.pool(1)) { gpus.apply(x -> render(x), 1); } catch (FiberException e) {"
                    + " System.out.println(\"needs \" + e.getMessage().replace('\\n', ' ')); }");

    @Test
    void lambdaOfAMethodOfTheShellHasTheMethodsNeeds() {
        assertThat(printed)
                .anySatisfy(line -> assertThat(line).startsWith("needs FBR-").contains("gpu"));
    }

    private static final List<String> PROCESSES = List.of(
            "class Odd extends RuntimeException { Odd(String text) { super(text); } }",
            "int even(int x) { if (x % 2 == 1) throw new Odd(\"odd: \" + x); return x; }",
            "int twice(int x) { return 2 * x; }",
            "int nested(int x) { try (var inner = Fiber.current().pool(1)) {"
                    + " return inner.apply(y -> twice(y) + 1, x); } }",
            "try { pool.apply(x -> even(x), 3); } catch (RemoteTaskException e) {"
                    + " System.out.println(e.getCause() instanceof Odd odd ? odd.getMessage() : e); }",
            "System.out.println(\"nested \" + pool.apply(x -> nested(x), 20));",
            "pool.close();",
            "System.out.println(\"exit \" + fiber.process(() -> { even(2); }).join());");

    @Test
    void exceptionsOfTheShellsOwnClassesArriveAndProcessesAndNestedPoolsWork() {
        assertThat(printed).contains("odd: 3", "nested 41", "exit 0");
    }

    @Test
    void switchedOffClassesStayAndTheErrorNamesTheOneThatIsMissing(@TempDir Path directory) {
        List<String> lines = new JShellSession(directory)
                .with("remote-class-loading", "off")
                .run(
                        "int f(int x) { return x + 1; }",
                        "var pool = fiber.pool(1);",
                        "try { pool.apply(x -> f(x), 3); } catch (FiberException e) {"
                                + " System.out.println(e.getMessage() + \" \" + e.getCause()); }",
                        "pool.shutdownNow();");

        assertThat(lines).anyMatch(line -> line.contains("FBR-202") && line.contains("class REPL.$JShell$"));
    }
}
