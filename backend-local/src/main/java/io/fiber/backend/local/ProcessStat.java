// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What Linux says about a process in {@code /proc/PID/stat}, see proc(5).
 *
 * @param state {@code Z} if its first thread has ended
 * @param group the id of its process group
 * @param threads how many of its threads live
 * @param startTicks its start in ticks since boot; unlike the JDK's start time, it does not move with the clock
 */
record ProcessStat(String state, long group, int threads, long startTicks) {

    private static final Path PROCESSES = Path.of("/proc");

    /** Returns whether this system describes its processes in this way. */
    static boolean areThere() {
        return Files.exists(PROCESSES.resolve("self/stat"));
    }

    /** Returns the description of a process; empty if it is gone. */
    static Optional<ProcessStat> of(long pid) {
        return read(PROCESSES.resolve(Long.toString(pid)));
    }

    /** Returns the processes of this host or container; takes some 10 ms. */
    static Stream<ProcessStat> all() {
        try (Stream<Path> entries = Files.list(PROCESSES)) {
            return entries
                    .filter(entry ->
                            Character.isDigit(entry.getFileName().toString().charAt(0)))
                    .flatMap(entry -> read(entry).stream())
                    .toList()
                    .stream();
        } catch (IOException | UncheckedIOException e) {
            return Stream.empty();
        }
    }

    private static Optional<ProcessStat> read(Path process) {
        try {
            String line = Files.readString(process.resolve("stat"), StandardCharsets.ISO_8859_1);
            // The second field, the name in brackets, may contain spaces and brackets. Fields count from 1.
            String[] fromThird = line.substring(line.lastIndexOf(')') + 2).split(" ", -1);
            return Optional.of(new ProcessStat(
                    fromThird[0],
                    Long.parseLong(fromThird[5 - 3]),
                    Integer.parseInt(fromThird[20 - 3]),
                    Long.parseLong(fromThird[22 - 3])));
        } catch (IOException | IndexOutOfBoundsException e) {
            // It is gone, or is going and has an empty file.
            return Optional.empty();
        }
    }

    /** Returns whether it runs: after the end of its first thread, others may. */
    boolean isAlive() {
        return (!state.equals("Z") && !state.equals("X")) || threads > 1;
    }
}
