// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.platform;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Names a process so that it can be told from a later one with the same pid, and from one of another container.
 *
 * @param pid as its own namespace has it
 * @param startMillis when it started, 0 where the system does not say
 * @param scope the host and pid namespace in which the pid means something
 */
record ProcessIdentity(long pid, long startMillis, String scope) {

    /** Two readings of one start time may differ: the kernel derives the time of boot anew, from a clock that is set. */
    private static final long START_TOLERANCE_MILLIS = 5_000;

    static ProcessIdentity current() {
        ProcessHandle self = ProcessHandle.current();
        return new ProcessIdentity(self.pid(), startMillis(self), currentScope());
    }

    /** Reads a file of {@link #lines}; empty when there is none, or it is not whole. */
    static Optional<ProcessIdentity> read(Path file) throws IOException {
        try {
            List<String> lines = Files.readAllLines(file);
            return lines.size() < 3
                    ? Optional.empty()
                    : Optional.of(new ProcessIdentity(
                            Long.parseLong(lines.get(0)), Long.parseLong(lines.get(1)), lines.get(2)));
        } catch (NoSuchFileException | NumberFormatException e) {
            return Optional.empty();
        }
    }

    List<String> lines() {
        return List.of(Long.toString(pid), Long.toString(startMillis), scope);
    }

    /** Tells whether the process is known to be gone. One of another host or namespace is never known to be. */
    boolean isDead() {
        if (!scope.equals(currentScope())) {
            return false;
        }
        Optional<ProcessHandle> process = ProcessHandle.of(pid);
        if (process.isEmpty()) {
            return true;
        }
        long nowMillis = startMillis(process.get());
        return startMillis != 0 && nowMillis != 0 && Math.abs(nowMillis - startMillis) > START_TOLERANCE_MILLIS;
    }

    private static long startMillis(ProcessHandle process) {
        Optional<Instant> start = process.info().startInstant();
        return start.isPresent() ? start.get().toEpochMilli() : 0;
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
