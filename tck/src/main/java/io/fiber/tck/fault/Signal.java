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
    /** The process ends at once, without running any more of its code. */
    KILL("KILL"),
    /** The process is asked to end, by a platform for example. */
    TERMINATE("TERM"),
    /** The process is asked to end, as by Ctrl-C at its terminal. */
    INTERRUPT("INT"),
    /** The process is asked to end, as by the end of its terminal. */
    HANG_UP("HUP"),
    /** The process does nothing until it is continued, and does not notice. */
    STOP("STOP"),
    /** A stopped process continues. */
    CONTINUE("CONT");

    private static final long LIMIT_SECONDS = 20;

    private final String word;

    Signal(String word) {
        this.word = word;
    }

    /**
     * Sends the signal. Blocks for the milliseconds that a shell takes. If the number belongs to a thread, nothing is
     * sent, because the signal would reach its whole process.
     *
     * @param pid the process
     * @return false if there is no such process, or it belongs to another user
     * @throws UncheckedIOException if there is no {@code /bin/sh}
     * @throws IllegalStateException if the command takes longer than 20 s, or the calling thread is interrupted, whose
     *     flag is set again
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
     * Sends the signal to a process that must exist, as {@link #offer} does.
     *
     * @param pid the process
     * @throws AssertionError if there is no such process, or it belongs to another user
     */
    public void send(long pid) {
        if (!offer(pid)) {
            throw new AssertionError("kill -" + word + " " + pid + ": there is no such process of this user");
        }
    }

    /**
     * Returns whether a process is running. A stopped process is running; one that has ended and whose parent has not
     * asked for its exit code is not. The number of an ended process may later belong to another process; if it belongs
     * to a thread, no process is running.
     *
     * @param pid the process
     */
    public static boolean isRunning(long pid) {
        return status(pid).stream().anyMatch(line -> line.startsWith("State:") && !line.contains("Z"));
    }

    /**
     * Returns what the kernel says about a process; empty if there is none. The kernel also lists threads under their
     * numbers.
     */
    private static List<String> status(long pid) {
        try {
            List<String> lines = Files.readAllLines(Path.of("/proc/" + pid + "/status"));
            return lines.contains("Tgid:\t" + pid) ? lines : List.of();
        } catch (IOException e) {
            return List.of();
        }
    }
}
