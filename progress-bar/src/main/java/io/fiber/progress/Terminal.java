// SPDX-License-Identifier: Apache-2.0
package io.fiber.progress;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Finds out whether standard output and standard error are a terminal. */
final class Terminal {

    private static final Path STANDARD_OUTPUT = Path.of("/proc/self/fd/1");
    private static final Path STANDARD_ERROR = Path.of("/proc/self/fd/2");

    private Terminal() {}

    /** Returns standard error if it is a terminal that can move its cursor. */
    static Optional<PrintStream> ofStandardError() {
        return isTerminal(STANDARD_ERROR) && !"dumb".equals(System.getenv("TERM"))
                ? Optional.of(System.err)
                : Optional.empty();
    }

    /** Returns whether standard output is a terminal. */
    static boolean isStandardOutput() {
        return isTerminal(STANDARD_OUTPUT);
    }

    /** Where the system does not say, that is, on systems other than Linux, it is not considered a terminal. */
    private static boolean isTerminal(Path descriptor) {
        try {
            return Files.isSymbolicLink(descriptor)
                    && isTerminal(Files.readSymbolicLink(descriptor).toString());
        } catch (IOException e) {
            return false;
        }
    }

    /** Returns whether a file of this name is a terminal. */
    static boolean isTerminal(String file) {
        return file.startsWith("/dev/pts/") || file.startsWith("/dev/tty") || file.equals("/dev/console");
    }
}
