// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.logging;

import java.nio.file.Path;

/** The pattern of a file's name: {@code %n} is the name of the process, {@code %p} its pid, {@code %%} a percent sign. */
final class LogPattern {

    private LogPattern() {}

    /** Returns the file of this process, absolute. */
    static Path expand(String pattern, String processName) {
        StringBuilder path = new StringBuilder();
        for (int i = 0; i < pattern.length(); i++) {
            char c = pattern.charAt(i);
            char next = c == '%' && i + 1 < pattern.length() ? pattern.charAt(i + 1) : ' ';
            switch (next) {
                case 'n' -> path.append(safe(processName));
                case 'p' -> path.append(ProcessHandle.current().pid());
                case '%' -> path.append('%');
                default -> path.append(c);
            }
            if (next == 'n' || next == 'p' || next == '%') {
                i++;
            }
        }
        return Path.of(path.toString()).toAbsolutePath();
    }

    /** A name must not lead into another directory. */
    private static String safe(String name) {
        StringBuilder safe = new StringBuilder();
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            safe.append(Character.isLetterOrDigit(c) || c == '-' || c == '_' ? c : '_');
        }
        return safe.toString();
    }
}
