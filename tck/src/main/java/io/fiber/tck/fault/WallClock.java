// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.fault;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A wall clock that can be set while processes use it: those that were started with its {@link #environment()}, and
 * their children. A machine's clock jumps like this when its time is set, and when it wakes up. Clocks that only
 * advance ({@link System#nanoTime}) continue normally, and the machine's own time does not change. Thread-safe.
 *
 * <p>A small library is loaded between these processes and the C library ({@code LD_PRELOAD}). It is compiled by {@code
 * cc}, for Linux.
 */
public final class WallClock {

    private static final String SOURCE = "wallclock.c";

    private final Path library;
    private final Path ahead;

    private WallClock(Path library, Path ahead) {
        this.library = library;
        this.ahead = ahead;
    }

    /**
     * Returns why such a clock is impossible on this machine; empty if it is possible. Blocks for some milliseconds.
     *
     * @return the reason, for the message of a skipped test
     */
    public static Optional<String> obstacle() {
        if (!System.getProperty("os.name").equals("Linux")) {
            return Optional.of("the wall clock of a process can be set on Linux only");
        }
        Command.Outcome outcome = Command.tried(List.of("cc", "--version"));
        return outcome.exitCode() == 0
                ? Optional.empty()
                : Optional.of("there is no C compiler (cc) on this machine: " + outcome.output());
    }

    /**
     * Creates a clock with the right time. Blocks for the time that a compiler takes.
     *
     * @param directory a directory for its files, which must exist as long as the processes
     * @throws IllegalStateException if the library cannot be compiled
     * @throws UncheckedIOException if files cannot be written there
     */
    public static WallClock in(Path directory) {
        Path source = directory.resolve(SOURCE);
        Path library = directory.resolve("wallclock.so").toAbsolutePath();
        try (InputStream in = requireNonNull(WallClock.class.getResourceAsStream(SOURCE), SOURCE)) {
            Files.copy(in, source, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Command.run("cc", "-shared", "-fPIC", "-O", "-o", library.toString(), source.toString(), "-ldl");
        WallClock clock =
                new WallClock(library, directory.resolve("wallclock.ahead").toAbsolutePath());
        clock.set(Duration.ZERO);
        return clock;
    }

    /** Returns the environment variables for a process that is to use this clock. */
    public Map<String, String> environment() {
        return Map.of("LD_PRELOAD", library.toString(), "FAULT_WALL_CLOCK", ahead.toString());
    }

    /**
     * Sets the clock for all processes that use it, at once.
     *
     * @param fromNow how far it is ahead of the right time from now on, in whole seconds; negative if it is behind
     * @throws UncheckedIOException if its file cannot be written
     */
    public void set(Duration fromNow) {
        Path next = ahead.resolveSibling("wallclock.next");
        try {
            Files.writeString(next, Long.toString(fromNow.toSeconds()));
            Files.move(next, ahead, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
