// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.probe;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The world of a real process. */
final class ProcessWorld implements JobWorld {

    private static final String BOOTSTRAP_VARIABLE = "FIBER_BOOTSTRAP";
    private static final Path COMMAND_LINE = Path.of("/proc/self/cmdline");
    private static final Path ENVIRONMENT = Path.of("/proc/self/environ");

    private static final Path STATUS = Path.of("/proc/self/status");

    private ProcessWorld() {}

    /** Runs the program as this process's main program and ends the process. */
    static void exitWith(JobProgram program, String[] arguments) {
        int code;
        try {
            code = program.run(new ProcessWorld(), asWritten(arguments));
        } catch (Exception | OutOfMemoryError e) {
            e.printStackTrace();
            code = 1;
        }
        System.exit(code);
    }

    /** Returns the arguments as they arrived, in UTF-8, because a JVM reads them in the charset of its locale. */
    private static List<String> asWritten(String[] arguments) {
        List<String> all = words(COMMAND_LINE);
        return all.size() < arguments.length
                ? List.of(arguments)
                : all.subList(all.size() - arguments.length, all.size());
    }

    /** Returns the words of a file that has a zero byte after each; empty if there is no such file. */
    private static List<String> words(Path file) {
        try {
            List<String> words = new ArrayList<>(
                    List.of(Files.readString(file, StandardCharsets.UTF_8).split("\0", -1)));
            words.remove(words.size() - 1);
            return words;
        } catch (IOException e) {
            return List.of();
        }
    }

    @Override
    public Map<String, String> environment() {
        Map<String, String> variables = new TreeMap<>();
        for (String variable : words(ENVIRONMENT)) {
            int equals = variable.indexOf('=');
            if (equals > 0) {
                variables.put(variable.substring(0, equals), variable.substring(equals + 1));
            }
        }
        return variables.isEmpty() ? System.getenv() : variables;
    }

    @Override
    public Map<String, String> properties() {
        Properties properties = System.getProperties();
        Map<String, String> copy = new TreeMap<>();
        properties.stringPropertyNames().forEach(name -> copy.put(name, properties.getProperty(name)));
        return copy;
    }

    @Override
    public String commandLine() {
        return ProcessHandle.current().info().commandLine().orElse("");
    }

    @Override
    public String workingDirectory() {
        return Path.of("").toAbsolutePath().toString();
    }

    @Override
    public String umask() {
        try (Stream<String> lines = Files.lines(STATUS, StandardCharsets.UTF_8)) {
            return lines.filter(line -> line.startsWith("Umask:"))
                    .map(line -> line.substring("Umask:".length()).strip())
                    .findFirst()
                    .orElse("");
        } catch (IOException | UncheckedIOException e) {
            return "";
        }
    }

    @Override
    public int processors() {
        return Runtime.getRuntime().availableProcessors();
    }

    @Override
    public long heapBytes() {
        return Runtime.getRuntime().maxMemory();
    }

    @Override
    public InputStream in() {
        return System.in;
    }

    @Override
    public PrintStream out() {
        return System.out;
    }

    @Override
    public PrintStream err() {
        return System.err;
    }

    @Override
    public void onTerminate(Runnable action) {
        Runtime.getRuntime().addShutdownHook(new Thread(action, "on-terminate"));
    }

    @Override
    public void own(Closeable resource) {
        // The operating system closes what a process leaves open.
    }

    @Override
    public void spawn(Class<? extends JobProgram> program, List<String> arguments) throws IOException {
        start(List.of(), program, arguments);
    }

    @Override
    public void spawnInSession(Class<? extends JobProgram> program, List<String> arguments) throws IOException {
        start(List.of("setsid"), program, arguments);
    }

    private static void start(List<String> before, Class<? extends JobProgram> program, List<String> arguments)
            throws IOException {
        List<String> command = new ArrayList<>(before);
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx32m",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                program.getName()));
        command.addAll(arguments);
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD);
        builder.environment().remove(BOOTSTRAP_VARIABLE);
        builder.start();
    }
}
