// SPDX-License-Identifier: Apache-2.0
package com.example.fiber.shell;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fiber.spi.backend.JobSpec;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.Writer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The shell that runs {@code starter.sh}, and the lines that are exchanged with it. Thread-safe. */
final class Starter {

    /** Is told what the starter says, by one thread. */
    interface Listener {
        void running(Path directory);

        void ended(Path directory, int code);

        /** The starter has nothing more to say. */
        void gone();
    }

    private static final long LAST_WORDS_SECONDS = 8;

    private final Process shell;
    private final Writer orders;
    private final Thread reader;

    /** Starts the shell. With {@code ssh HOST} in front of these words, jobs would run on another machine. */
    Starter(Listener listener) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(List.of("setsid", "sh", "-c", script()));
        builder.redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().remove(JobSpec.BOOTSTRAP_VARIABLE);
        shell = builder.start();
        orders = shell.outputWriter(UTF_8);
        reader = new Thread(() -> read(listener), "shell-starter");
        reader.setDaemon(true);
        reader.start();
    }

    private static String script() throws IOException {
        try (InputStream script = Starter.class.getResourceAsStream("starter.sh")) {
            return new String(script.readAllBytes(), UTF_8);
        }
    }

    /** Gives an order about the job in a directory: {@code start}, or the name of a signal. */
    void order(String verb, Path directory) throws IOException {
        synchronized (orders) {
            orders.write(verb + " " + directory + "\n");
            orders.flush();
        }
    }

    private void read(Listener listener) {
        try (BufferedReader words = shell.inputReader(UTF_8)) {
            for (String line = words.readLine(); line != null; line = words.readLine()) {
                String[] parts = line.split(" ", 2);
                if (parts[0].equals("running")) {
                    listener.running(Path.of(parts[1]));
                } else {
                    String[] end = parts[1].split(" ", 2);
                    listener.ended(Path.of(end[1]), Integer.parseInt(end[0]));
                }
            }
        } catch (IOException e) {
            // The shell was ended by force: what it could have said is lost.
        } finally {
            listener.gone();
        }
    }

    /** Ends the input of the starter, which then ends every job and itself. Waits for that. */
    void close() {
        try {
            synchronized (orders) {
                orders.close();
            }
        } catch (IOException e) {
            // It is gone already.
        }
        try {
            if (!shell.waitFor(LAST_WORDS_SECONDS, TimeUnit.SECONDS)) {
                shell.destroyForcibly();
            }
            reader.join(TimeUnit.SECONDS.toMillis(1));
        } catch (InterruptedException e) {
            shell.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
