// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/** A program with a journal that is built anew between its runs: the class to which its function leads differs. */
final class RebuiltProgram {

    private static final String SOURCE = """
            import io.fiber.CallOptions;
            import io.fiber.ChangedCode;
            import io.fiber.Fiber;
            import io.fiber.FiberException;
            import io.fiber.Pool;
            import io.fiber.TaskRunner;
            import io.fiber.function.RemoteFunction;
            import java.io.Serializable;
            import java.nio.file.Path;
            import java.util.List;

            public class Sweep {
                static class Unit { static int factor() { return FACTOR; } }
                static class Model implements Serializable {
                    static int score(int x) { return x * Unit.factor(); }
                    int value(int x) { return 0; }
                }
                static class Fast extends Model {
                    @Override int value(int x) { return x * Unit.factor(); }
                }
                record Circle(int x) implements Serializable {
                    int area() { return x * Unit.factor(); }
                }
                record Then(RemoteFunction<Integer, Integer> step) implements RemoteFunction<Integer, Integer> {
                    @Override public Integer apply(Integer x) throws Exception { return step.apply(x); }
                }

                static List<Integer> results(TaskRunner durable, String way) {
                    List<Integer> items = List.of(1, 2, 3);
                    Model fast = new Fast();
                    return switch (way) {
                        case "reached" -> durable.map(Model::score, items);
                        case "captured" -> durable.map(fast::value, items);
                        case "wrapped" -> durable.map(new Then(Model::score), items);
                        default -> durable.map(Circle::area, items.stream().map(Circle::new).toList());
                    };
                }

                public static void main(String[] args) {
                    CallOptions durable = CallOptions.defaults()
                            .journal(Path.of(args[0]), ChangedCode.valueOf(args[1]));
                    try (Fiber fiber = Fiber.open(); Pool pool = fiber.pool(1)) {
                        List<Integer> results = results(pool.with(durable), args[2]);
                        System.out.println("result " + results + " ran " + (pool.statistics().workersStarted() * 3));
                    } catch (FiberException e) {
                        System.out.println("result " + e.getMessage());
                    }
                }
            }
            """;

    private final Path directory;
    private final Path classes;

    RebuiltProgram(Path directory) throws IOException {
        this.directory = directory;
        this.classes = Files.createDirectory(directory.resolve("classes"));
    }

    Path journal() {
        return directory.resolve("rebuilt.journal");
    }

    /** Builds the program and returns what it says of its results. */
    String run(int factor, String policy, String way) throws IOException {
        Path source = directory.resolve("Sweep.java");
        Files.writeString(source, SOURCE.replace("FACTOR", String.valueOf(factor)));
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        String path = System.getProperty("java.class.path");
        if (compiler.run(null, null, null, "-d", classes.toString(), "-cp", path, source.toString()) != 0) {
            throw new AssertionError("The program does not compile.");
        }
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-Dfiber.backend=local",
                "-Dfiber.cds.directory=" + WorkerArchive.DIRECTORY,
                "-cp",
                classes + ":" + path,
                "Sweep",
                journal().toString(),
                policy,
                way);
        try (MasterJvm master = new MasterJvm(Map.of(), command)) {
            String result = master.awaitLine("result ");
            master.awaitEnd();
            return result;
        }
    }
}
