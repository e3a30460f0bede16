// SPDX-License-Identifier: Apache-2.0
package io.fiber.progress;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Tells whether standard error is a terminal. */
final class Terminal {

    private static final Path STANDARD_ERROR = Path.of("/proc/self/fd/2");

    private Terminal() {}

    /** Returns standard error when it is a terminal that can move its cursor. */
    static Optional<PrintStream> ofStandardError() {
        return isTerminal() && !"dumb".equals(System.getenv("TERM")) ? Optional.of(System.err) : Optional.empty();
    }

    /** Where the system does not say, as on others than Linux, it is taken for none. */
    private static boolean isTerminal() {
        try {
            return Files.isSymbolicLink(STANDARD_ERROR)
                    && isTerminal(Files.readSymbolicLink(STANDARD_ERROR).toString());
        } catch (IOException e) {
            return false;
        }
    }

    /** Tells whether a file of this name is a terminal. */
    static boolean isTerminal(String file) {
        return file.startsWith("/dev/pts/") || file.startsWith("/dev/tty") || file.equals("/dev/console");
    }
}
