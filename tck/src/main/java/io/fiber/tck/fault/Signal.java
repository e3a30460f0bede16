// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.fault;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** What any process of the same user can do to a process. Immutable and thread-safe. */
public enum Signal {
    /** The process ends at once, and nothing of its own runs any more. */
    KILL("KILL"),
    /** The process does nothing until it is told to go on, and does not notice. */
    STOP("STOP"),
    /** A process that was stopped goes on. */
    CONTINUE("CONT");

    private static final long LIMIT_SECONDS = 20;

    private final String word;

    Signal(String word) {
        this.word = word;
    }

    /**
     * Sends the signal. Blocks for the milliseconds that a shell takes. A number that belongs to a thread gets nothing,
     * because the signal would go to its whole process.
     *
     * @param pid the process
     * @return false when there is no such process, or it is another user's
     * @throws UncheckedIOException when there is no {@code /bin/sh}
     * @throws IllegalStateException when the command takes longer than 20 s, or the calling thread is interrupted, whose flag is set again
     */
    public boolean offer(long pid) {
        if (status(pid).isEmpty()) {
            return false;
        }
        try {
            Process kill = new ProcessBuilder("/bin/sh", "-c", "kill -" + word + " " + pid)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (!kill.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                kill.destroyForcibly();
                throw new IllegalStateException("kill -" + word + " " + pid + " took longer than 20 s");
            }
            return kill.exitValue() == 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while " + this + " was sent to " + pid, e);
        }
    }

    /**
     * Sends the signal to a process that must be there, as {@link #offer} does.
     *
     * @param pid the process
     * @throws AssertionError when there is no such process, or it is another user's
     */
    public void send(long pid) {
        if (!offer(pid)) {
            throw new AssertionError("kill -" + word + " " + pid + ": there is no such process of this user");
        }
    }

    /**
     * Tells whether a process runs. One that has ended and whose parent has not yet asked for its exit code does not; one
     * that is stopped does. The number of a process that has ended may be another one's later; one that a mere thread has got
     * since is no process.
     *
     * @param pid the process
     */
    public static boolean isRunning(long pid) {
        return status(pid).stream().anyMatch(line -> line.startsWith("State:") && !line.contains("Z"));
    }

    /** Returns what the kernel says of a process; nothing when there is none. It has threads under their numbers, too. */
    private static List<String> status(long pid) {
        try {
            List<String> lines = Files.readAllLines(Path.of("/proc/" + pid + "/status"));
            return lines.contains("Tgid:\t" + pid) ? lines : List.of();
        } catch (IOException e) {
            return List.of();
        }
    }
}
