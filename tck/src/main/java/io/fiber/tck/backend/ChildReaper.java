// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.backend;

import io.fiber.spi.backend.Reaper;
import io.fiber.tck.host.JavaCommand;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A reaper whose child process starts with the first registration. Thread-safe. */
final class ChildReaper implements Reaper, AutoCloseable {

    private final Map<Long, List<String>> pending = new TreeMap<>();
    private @Nullable Process child;
    private long registrations;

    @Override
    public synchronized Registration onDeath(List<String> command) {
        long id = registrations++;
        pending.put(id, List.copyOf(command));
        StringBuilder line = new StringBuilder("+ ").append(id);
        for (String word : command) {
            line.append(' ').append(Base64.getEncoder().encodeToString(word.getBytes(StandardCharsets.UTF_8)));
        }
        write(line.append('\n').toString());
        return () -> cancel(id);
    }

    private synchronized void cancel(long id) {
        if (pending.remove(id) != null) {
            write("- " + id + "\n");
        }
    }

    private void write(String line) {
        try {
            Process process = child;
            if (process == null) {
                process = new ProcessBuilder(new JavaCommand(ReaperMain.class).words())
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
                child = process;
            }
            process.getOutputStream().write(line.getBytes(StandardCharsets.US_ASCII));
            process.getOutputStream().flush();
        } catch (IOException e) {
            throw new UncheckedIOException("The kit's reaper process does not take commands.", e);
        }
    }

    /** Returns the commands that would run if this process died now. */
    synchronized List<List<String>> pending() {
        return new ArrayList<>(pending.values());
    }

    /** Cancels all commands and ends the child process. */
    @Override
    public synchronized void close() {
        Process process = child;
        if (process == null) {
            return;
        }
        List.copyOf(pending.keySet()).forEach(this::cancel);
        child = null;
        process.destroyForcibly();
        try {
            process.waitFor(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
