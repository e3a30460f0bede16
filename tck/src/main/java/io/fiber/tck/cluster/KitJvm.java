// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.cluster;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.DynamicNode;

/**
 * A JVM that runs test classes with {@link KitRun}, controlled by the build that starts it. If it reports no result for
 * too long, it prints what its threads do and ends. Not thread-safe.
 */
public final class KitJvm {

    /** The beginning of a line with measured figures that a test prints; the build prints it to standard error. */
    public static final String FIGURES = "figures: ";

    private static final Duration LAST_WORDS = Duration.ofSeconds(10);

    private final String prefix;
    private final Duration silenceLimit;
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
    private final List<DynamicNode> results = new ArrayList<>();
    private volatile boolean tooSilent;

    private KitJvm(String prefix, Duration silenceLimit) {
        this.prefix = prefix;
        this.silenceLimit = silenceLimit;
    }

    /**
     * Returns the command of such a JVM.
     *
     * @param directory its directory for temporary files
     * @param options more options of the JVM
     * @param classPath where it finds the tests, this kit and JUnit
     * @param tests names of test classes or of groups in them, as {@link KitRun} accepts them
     */
    public static List<String> command(Path directory, List<String> options, String classPath, List<String> tests) {
        List<String> words = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        words.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC", "-Djava.io.tmpdir=" + directory));
        words.addAll(List.of("--add-exports", "java.base/jdk.internal.misc=ALL-UNNAMED"));
        words.addAll(options);
        words.addAll(List.of("-cp", classPath, KitRun.class.getName()));
        words.addAll(tests);
        return words;
    }

    /**
     * Copies the class path of this JVM into a new directory that every user may read, and returns the class path of the
     * copies: another user need not see this checkout or the repository of Maven.
     */
    public static String copyClassPath(Path directory) {
        List<String> copies = new ArrayList<>();
        try {
            Files.createDirectory(directory);
            for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
                Path from = Path.of(entry);
                if (Files.exists(from)) {
                    Path to = directory.resolve(copies.size() + "-" + from.getFileName());
                    run("cp", "--recursive", "--preserve=mode,timestamps", from.toString(), to.toString());
                    copies.add(to.toString());
                }
            }
            run("chmod", "-R", "a+rX", directory.toString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return String.join(File.pathSeparator, copies);
    }

    private static void run(String... words) throws IOException, InterruptedException {
        int code = new ProcessBuilder(words).inheritIO().start().waitFor();
        if (code != 0) {
            throw new IOException(List.of(words) + " ended with " + code);
        }
    }

    /** Returns the names of test classes, for such a command. */
    public static List<String> names(List<Class<?>> tests) {
        return tests.stream().map(Class::getName).toList();
    }

    /**
     * Starts a process that is such a JVM or starts one, waits for its end, and returns the result of each test. If the
     * JVM fails or reports nothing, there is one more failed result.
     *
     * @param prefix the prefix of the names of the results
     * @param silenceLimit how long it may report no result
     */
    public static List<DynamicNode> run(ProcessBuilder builder, String prefix, Duration silenceLimit) {
        KitJvm jvm = new KitJvm(requireNonNull(prefix, "prefix"), requireNonNull(silenceLimit, "silenceLimit"));
        long beganNs = System.nanoTime();
        try {
            Process process =
                    builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
            try {
                jvm.follow(process);
            } finally {
                process.destroyForcibly();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            jvm.clock.shutdownNow();
        }
        List<String> words = builder.command();
        System.err.println(jvm.results.size() + " tests, the last ones of " + words.get(words.size() - 1) + ", took "
                + TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - beganNs) + " s.");
        return jvm.results;
    }

    /**
     * Runs such JVMs at the same time, each with a thread of its own, and returns the results of the first, then of the
     * second.
     */
    public static List<DynamicNode> runTogether(List<Supplier<List<DynamicNode>>> runs) {
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            List<CompletableFuture<List<DynamicNode>>> results = runs.stream()
                    .map(run -> CompletableFuture.supplyAsync(run, threads))
                    .toList();
            return results.stream().flatMap(each -> each.join().stream()).toList();
        } finally {
            threads.shutdown();
        }
    }

    private void follow(Process process) throws IOException, InterruptedException {
        process.getOutputStream().close();
        ScheduledFuture<?> end = endAfterSilence(process);
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                Optional<KitResult> result = KitResult.read(line);
                if (result.isPresent()) {
                    end.cancel(false);
                    end = endAfterSilence(process);
                    KitResult told = result.get();
                    results.add(new KitResult(prefix + told.test(), told.outcome(), told.text()).retold());
                } else if (tooSilent || line.startsWith(FIGURES)) {
                    System.err.println(line);
                }
            }
        }
        int code = process.waitFor();
        if (code != 0 || results.isEmpty()) {
            String why = tooSilent ? ", for it had told no result for " + silenceLimit : "";
            String text = "It ended with " + code + " after " + results.size() + " tests" + why + ".";
            results.add(dynamicTest(prefix + "the JVM of the tests", () -> fail(text)));
        }
    }

    private ScheduledFuture<?> endAfterSilence(Process process) {
        return clock.schedule(() -> end(process), silenceLimit.toSeconds(), TimeUnit.SECONDS);
    }

    private void end(Process process) {
        tooSilent = true;
        try {
            new ProcessBuilder("/bin/sh", "-c", "kill -QUIT " + process.pid())
                    .inheritIO()
                    .start();
        } catch (IOException e) {
            System.err.println("No threads of a JVM that hangs: " + e);
        }
        var unused = clock.schedule(process::destroyForcibly, LAST_WORDS.toSeconds(), TimeUnit.SECONDS);
    }
}
