// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.backend;

import io.fiber.tck.host.FixtureDirectory;
import io.fiber.tck.host.JavaCommand;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A second JVM that submits jobs through the backend under test. Thread-safe. */
final class MasterProcess implements AutoCloseable {

    private final Process process;
    private final Path directory;

    private MasterProcess(Process process, Path directory) {
        this.process = process;
        this.directory = directory;
    }

    static MasterProcess start(
            BackendFixture fixture, Class<?> main, Class<? extends BackendFixture> fixtureClass, List<String> arguments)
            throws IOException {
        return start(fixture, main, fixtureClass, arguments, Map.of());
    }

    /** Starts it with variables that this process does not have. */
    static MasterProcess start(
            BackendFixture fixture,
            Class<?> main,
            Class<? extends BackendFixture> fixtureClass,
            List<String> arguments,
            Map<String, String> variables)
            throws IOException {
        Path directory = Files.createDirectory(fixture.directory().resolve("master"));
        List<String> words = new ArrayList<>(List.of(fixtureClass.getName()));
        words.addAll(arguments);
        List<String> command = new JavaCommand(main)
                .jvmOptions(List.of("-Djava.io.tmpdir=" + directory))
                .arguments(words)
                .words();
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("log").toFile());
        builder.environment().putAll(variables);
        return new MasterProcess(builder.start(), directory);
    }

    String output() {
        try {
            return Files.readString(directory.resolve("log"), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read what the master's process wrote.", e);
        }
    }

    /** Ends the process with SIGKILL and waits for its end. */
    void kill() {
        process.destroyForcibly();
        awaitExit(Duration.ofSeconds(10));
    }

    /** Waits for its end, and returns its exit code. */
    int awaitExit(Duration limit) {
        try {
            return process.onExit().get(limit.toMillis(), TimeUnit.MILLISECONDS).exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("This thread was interrupted while it waited for a second JVM.", e);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException(
                    "The master's process " + process.pid() + " did not end within " + limit + "; it wrote " + output()
                            + ".",
                    e);
        }
    }

    @Override
    public void close() {
        kill();
        FixtureDirectory.delete(directory);
    }
}
