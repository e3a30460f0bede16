// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The files, sockets and pipes that this process has open. Jars are left out, because a JVM opens them when it needs them. */
public final class OpenFiles {

    private static final Path NUMBERS = Path.of("/proc/self/fd");

    private OpenFiles() {}

    /** Returns whether the system lists them, as Linux does. */
    public static boolean areKnown() {
        return Files.isDirectory(NUMBERS);
    }

    /** Returns what they are, for example a path, or {@code socket:[4711]}; some may be there more than once. */
    public static List<String> list() {
        try (Stream<Path> numbers = Files.list(NUMBERS)) {
            List<String> open = new ArrayList<>();
            for (Path number : numbers.toList()) {
                target(number).filter(file -> !file.endsWith(".jar")).forEach(open::add);
            }
            return open;
        } catch (IOException e) {
            throw new UncheckedIOException("The open files of this process cannot be listed.", e);
        }
    }

    /** Returns none for one that has been closed since, as that of the list itself. */
    private static Stream<String> target(Path number) {
        try {
            return Stream.of(Files.readSymbolicLink(number).toString());
        } catch (IOException e) {
            return Stream.empty();
        }
    }

    /** Returns those that are open now and are not in an earlier list. */
    public static List<String> since(List<String> earlier) {
        List<String> added = list();
        earlier.forEach(added::remove);
        return added;
    }
}
