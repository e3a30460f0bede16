// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.platform;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.agrona.UnsafeApi;

/** What a process uses of its host: its resident memory, and the processor time of all its threads since it started. */
public record ProcessUsage(long memoryBytes, long cpuTimeNs) {

    private static final Path STAT = Path.of("/proc/self/stat");
    /** Linux reports times to programs in hundredths of a second, whatever its own unit is. */
    private static final long TICK_NS = 10_000_000;

    /**
     * Returns what this process uses; empty if the system does not report it. Linux does; an emulator of other processors
     * reports zeros. Does not block.
     */
    public static Optional<ProcessUsage> ofThisProcess() {
        try {
            return Optional.of(parse(Files.readString(STAT, ISO_8859_1), UnsafeApi.pageSize()))
                    .filter(usage -> usage.memoryBytes() > 0);
        } catch (IOException | IndexOutOfBoundsException | NumberFormatException e) {
            return Optional.empty();
        }
    }

    /** Parses the fields 14, 15 and 24 of proc(5). Field 2 may contain spaces and parentheses. */
    static ProcessUsage parse(String stat, int pageBytes) {
        String[] fromThird = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        long ticks = Long.parseLong(fromThird[11]) + Long.parseLong(fromThird[12]);
        return new ProcessUsage(Long.parseLong(fromThird[21]) * pageBytes, ticks * TICK_NS);
    }
}
