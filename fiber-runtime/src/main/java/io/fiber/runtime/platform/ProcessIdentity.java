// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.platform;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Identifies a process, and distinguishes it from a later one with the same pid and from one in another container.
 *
 * @param start start time as a text that is the same at each reading; empty if the system does not report it
 * @param scope the host and pid namespace in which the pid means something
 */
public record ProcessIdentity(long pid, String start, String scope) {

    public static ProcessIdentity current() {
        long pid = ProcessHandle.current().pid();
        return new ProcessIdentity(pid, start(pid), currentScope());
    }

    /** Reads a file of {@link #lines}; empty if there is no such file, or it is not complete. */
    static Optional<ProcessIdentity> read(Path file) throws IOException {
        try {
            return of(Files.readAllLines(file));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    /** Returns the process of the first lines of a file; empty if they are not {@link #lines}. */
    public static Optional<ProcessIdentity> of(List<String> lines) {
        try {
            return lines.size() < 3
                    ? Optional.empty()
                    : Optional.of(new ProcessIdentity(Long.parseLong(lines.get(0)), lines.get(1), lines.get(2)));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    public List<String> lines() {
        return List.of(Long.toString(pid), start, scope);
    }

    /** Returns whether the pid means something in this process: the host and pid namespace are the same. */
    private boolean isOfThisHost() {
        return scope.equals(currentScope());
    }

    /**
     * Returns whether the process certainly was one of this host since it was booted, and of this pid namespace. Hosts may
     * have the same name, and the first pid namespace has the same number on each.
     */
    public boolean isOfThisBoot() {
        return isOfThisHost() && boot(start).equals(boot(current().start()));
    }

    private static String boot(String start) {
        int end = start.indexOf(' ');
        return end < 0 ? start : start.substring(0, end);
    }

    /** Returns the name of the host, or another word if the system has no pid namespaces. */
    public String host() {
        int end = scope.indexOf(' ');
        return end < 0 ? scope : scope.substring(0, end);
    }

    /** Returns whether the process is known to be gone. For another host or namespace, this is never known. */
    public boolean isDead() {
        if (!isOfThisHost()) {
            return false;
        }
        if (ProcessHandle.of(pid).isEmpty()) {
            return true;
        }
        String now = start(pid);
        return !start.isEmpty() && !now.isEmpty() && !now.equals(start);
    }

    /**
     * Returns the start in Linux's ticks since boot. The JDK's start time moves with the clock, and setting the clock
     * must not turn a living process into another one. On other systems, only the pid identifies a process.
     */
    private static String start(long pid) {
        try {
            String boot =
                    Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
            return boot + " " + startTicks(Long.toString(pid));
        } catch (IOException | RuntimeException e) {
            return "";
        }
    }

    /**
     * Returns the start of a process in ticks since boot. Its name may contain spaces, parentheses and bytes that are
     * not text.
     */
    static long startTicks(String pid) throws IOException {
        String line = Files.readString(Path.of("/proc", pid, "stat"), StandardCharsets.ISO_8859_1);
        // Field 22 of proc(5); the name, in brackets, is the second.
        String[] fromThird = line.substring(line.lastIndexOf(')') + 2).split(" ", -1);
        return Long.parseLong(fromThird[19]);
    }

    private static String currentScope() {
        try {
            String host = Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
            return host + " " + Files.readSymbolicLink(Path.of("/proc/self/ns/pid"));
        } catch (IOException e) {
            // Not Linux: there are no pid namespaces, and temporary directories are not shared between hosts.
            return "local";
        }
    }
}
