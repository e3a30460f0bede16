// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;

/** The JDK's debugger, attached to a JVM of this host. */
final class Jdb implements AutoCloseable {

    private final Process process;
    private final Writer commands;
    private final StringBuilder output = new StringBuilder();

    private Jdb(Process process) {
        this.process = process;
        this.commands = process.outputWriter();
    }

    /** Attaches a debugger to a port; the test is skipped if this Java has none. */
    static Jdb attach(String address) {
        Path program = Path.of(System.getProperty("java.home"), "bin", "jdb");
        assumeThat(Files.isExecutable(program))
                .as(program + " is there; a JRE has no debugger")
                .isTrue();
        try {
            Jdb jdb = new Jdb(new ProcessBuilder(program.toString(), "-attach", address)
                    .redirectErrorStream(true)
                    .start());
            Thread reader = new Thread(jdb::read, "jdb-output");
            reader.setDaemon(true);
            reader.start();
            jdb.awaitText("Initializing jdb");
            return jdb;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void read() {
        char[] buffer = new char[4096];
        try (Reader in = process.inputReader()) {
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                add(new String(buffer, 0, count));
            }
        } catch (IOException e) {
            add(e.toString());
        }
    }

    private synchronized void add(String text) {
        output.append(text);
    }

    private synchronized String output() {
        return output.toString();
    }

    private synchronized void forgetOutput() {
        output.setLength(0);
    }

    /** Gives a command, and waits until the debugger has written this after it. */
    void command(String command, String answer) {
        forgetOutput();
        try {
            commands.write(command + "\n");
            commands.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        awaitText(answer);
    }

    /** Waits until the debugger has written this since the last command. */
    void awaitText(String text) {
        await().atMost(LocalFiber.LIMIT)
                .untilAsserted(() -> assertThat(output()).contains(text));
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
