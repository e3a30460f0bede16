// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.fiber.tck.fault.Sandbox;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A JVM of its own that runs one of the {@link MasterPrograms}, with a temporary directory of its own. */
final class MasterJvm implements AutoCloseable {

    private final Process process;
    private final BufferedReader output;
    private final List<String> lines = new ArrayList<>();

    /** Starts the JVM; the program has no flag but those given. */
    MasterJvm(Path tmp, List<String> options, String... arguments) {
        this(tmp, MasterPrograms.class, options, arguments);
    }

    /** Starts the JVM with another program. */
    MasterJvm(Path tmp, Class<?> program, List<String> options, String... arguments) {
        this(Map.of(), command(tmp, options, program, arguments));
    }

    /** Starts a JVM by its whole command, with more in its environment. */
    MasterJvm(Map<String, String> environment, List<String> command) {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(environment);
        try {
            process = builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        output = process.inputReader();
    }

    /** Starts a JVM that may do to networks and file systems what it likes; the test is skipped where there is none. */
    static MasterJvm inSandbox(Path tmp, Class<?> program, String... arguments) {
        Optional<String> obstacle = Sandbox.obstacle();
        assumeThat(obstacle).as("obstacle to a sandbox").isEmpty();
        return new MasterJvm(Map.of(), Sandbox.command(command(tmp, List.of("-Xmx256m"), program, arguments)));
    }

    /** Starts a JVM with more in its environment, which its workers inherit. */
    static MasterJvm with(Map<String, String> environment, Path tmp, String... arguments) {
        return new MasterJvm(environment, command(tmp, List.of(), MasterPrograms.class, arguments));
    }

    /** Returns the command of such a JVM. */
    static List<String> command(Path tmp, List<String> options, Class<?> program, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Djava.io.tmpdir=" + tmp, "-XX:-UsePerfData", "-XX:+UseSerialGC"));
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
        command.addAll(List.of(arguments));
        return command;
    }

    Process process() {
        return process;
    }

    long pid() {
        return process.pid();
    }

    /** Reads until a line begins so, and returns what follows in it. */
    String awaitLine(String begin) {
        try {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                lines.add(line);
                if (line.startsWith(begin)) {
                    return line.substring(begin.length()).strip();
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        throw new AssertionError("No line begins with '" + begin + "':\n" + String.join("\n", lines));
    }

    /** Reads to the end and asserts that the program ended well. */
    void awaitEnd() {
        awaitEnd(0);
    }

    /** Reads to the end, asserts that the program ended with this code, and returns all that it wrote. */
    List<String> awaitEnd(int exitCode) {
        try {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                lines.add(line);
            }
            assertThat(process.waitFor(30, TimeUnit.SECONDS))
                    .as("the program ends")
                    .isTrue();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        assertThat(process.exitValue())
                .as("exit code of the program, which wrote:\n%s", String.join("\n", lines))
                .isEqualTo(exitCode);
        return List.copyOf(lines);
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
