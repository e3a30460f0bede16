// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.probe;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/** The world of a process of its own. */
final class ProcessWorld implements JobWorld {

    private static final String BOOTSTRAP_VARIABLE = "FIBER_BOOTSTRAP";

    private ProcessWorld() {}

    /** Runs the program as this process's main program and ends the process. */
    static void exitWith(JobProgram program, String[] arguments) {
        int code;
        try {
            code = program.run(new ProcessWorld(), List.of(arguments));
        } catch (Exception | OutOfMemoryError e) {
            e.printStackTrace();
            code = 1;
        }
        System.exit(code);
    }

    @Override
    public Map<String, String> environment() {
        return System.getenv();
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
        List<String> command = new ArrayList<>(List.of(
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
