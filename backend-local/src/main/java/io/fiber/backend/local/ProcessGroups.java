// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Starts jobs as process groups of their own if the system can, and kills whole groups. Thread-safe.
 *
 * <p>The JDK can neither create a group nor signal one. {@code setsid} in front of a command creates one, under the
 * same pid, and costs 0.6 ms of the child's time. The shell's built-in {@code kill} signals it. A group of its own also
 * keeps Ctrl-C on a terminal from reaching jobs before their master has decided what to do.
 */
final class ProcessGroups {

    private static final String SHELL = "/bin/sh";
    private static final Path BASH = Path.of("/bin/bash");
    private static final int KILL_LIMIT_SECONDS = 3;

    /** The words in front of a command that make it a group; empty if there is no such program. */
    private final List<String> prefix;

    private final boolean posix;

    private ProcessGroups(List<String> prefix, boolean posix) {
        this.prefix = prefix;
        this.posix = posix;
    }

    /** Finds out what this host offers. */
    static ProcessGroups ofThisHost() {
        boolean posix = File.separatorChar == '/' && Files.isExecutable(Path.of(SHELL));
        if (posix) {
            for (String candidate : List.of("/usr/bin/setsid", "/bin/setsid")) {
                if (Files.isExecutable(Path.of(candidate))) {
                    return new ProcessGroups(List.of(candidate), true);
                }
            }
        }
        return new ProcessGroups(List.of(), posix);
    }

    /**
     * Returns a command that starts {@code words} as a group whose id is its pid, or {@code words} if that is
     * impossible.
     */
    List<String> inGroupOfItsOwn(List<String> words) {
        List<String> command = new ArrayList<>(prefix);
        command.addAll(words);
        return command;
    }

    /** Returns whether there is a shell. */
    boolean hasShell() {
        return posix;
    }

    /**
     * Returns the words that start a shell, without a script. Bash passes on all variables. Others drop those whose names
     * are not words of theirs, such as functions of Bash.
     */
    List<String> shell() {
        return Files.isExecutable(BASH) ? List.of(BASH.toString(), "--posix") : List.of(SHELL);
    }

    /** Returns a command that kills the job of this pid from outside; empty if there is no shell. */
    List<String> killCommand(long pid) {
        return posix ? killCommand(List.of(target(pid))) : List.of();
    }

    /**
     * Kills what is left of the groups of these jobs and waits until the signal is sent, which takes about 2 ms for any
     * number of jobs. Does nothing if jobs are not groups. The leader may be gone: its pid is not reused while the
     * group has members.
     */
    void kill(Collection<Long> pids) {
        if (prefix.isEmpty() || pids.isEmpty()) {
            return;
        }
        try {
            Process kill = new ProcessBuilder(
                            killCommand(pids.stream().map(this::target).toList()))
                    .redirectInput(Redirect.from(new File("/dev/null")))
                    .redirectOutput(Redirect.DISCARD)
                    .redirectError(Redirect.DISCARD)
                    .start();
            awaitUninterruptibly(kill);
        } catch (IOException e) {
            log(Level.WARNING, "Cannot kill the process groups " + pids + " of jobs: " + e);
        }
    }

    private static List<String> killCommand(List<String> targets) {
        List<String> command = new ArrayList<>(List.of(SHELL, "-c", "kill -s KILL -- \"$@\"", SHELL));
        command.addAll(targets);
        return command;
    }

    private String target(long pid) {
        return prefix.isEmpty() ? Long.toString(pid) : "-" + pid;
    }

    private static void awaitUninterruptibly(Process process) {
        boolean interrupted = false;
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(KILL_LIMIT_SECONDS);
        while (true) {
            try {
                process.waitFor(deadlineNs - System.nanoTime(), TimeUnit.NANOSECONDS);
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Finds the logger only when there is something to log, because the first time takes a JVM 50 ms. */
    private static void log(Level level, String message) {
        System.getLogger(ProcessGroups.class.getName()).log(level, message);
    }
}
