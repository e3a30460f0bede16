// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs the JDK's shell as a child process on a script, and gives what it printed. */
final class JShellSession {

    private final Path directory;
    private final List<String> settings = new ArrayList<>();

    JShellSession(Path directory) {
        this.directory = directory;
    }

    /** Adds a setting of Fiber's. */
    JShellSession with(String key, String value) {
        settings.add("-R-Dfiber." + key + "=" + value);
        return this;
    }

    /** Runs snippets in a session that is open as {@code fiber}; returns the lines that were printed. */
    List<String> run(String... snippets) {
        List<String> script = new ArrayList<>(List.of("import io.fiber.*;", "var fiber = Fiber.open();"));
        script.addAll(List.of(snippets));
        script.addAll(List.of("fiber.close();", "/exit"));
        Path output = directory.resolve("printed");
        try {
            Path input = Files.write(directory.resolve("snippets"), script);
            Process shell = new ProcessBuilder(command())
                    .redirectErrorStream(true)
                    .redirectInput(input.toFile())
                    .redirectOutput(output.toFile())
                    .start();
            assertThat(exitCode(shell, output)).as("exit code of jshell").isZero();
            return Files.readAllLines(output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits until the shell has ended, or the test's time is over. */
    private static int exitCode(Process shell, Path output) throws IOException {
        try {
            return shell.waitFor();
        } catch (InterruptedException e) {
            shell.descendants().forEach(ProcessHandle::destroyForcibly);
            shell.destroyForcibly();
            throw new AssertionError("The shell did not end in time. It printed:\n" + Files.readString(output), e);
        }
    }

    private List<String> command() {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "jshell").toString());
        command.addAll(List.of("--class-path", System.getProperty("java.class.path")));
        command.addAll(List.of("-J-Xmx192m", "-J-Djava.util.prefs.userRoot=" + directory, "-R-Xmx192m"));
        command.addAll(List.of("-R-Dfiber.backend=local", "-R-Dfiber.cds=false", "-R-Djava.io.tmpdir=" + directory));
        command.addAll(settings);
        command.add("-");
        return command;
    }
}
