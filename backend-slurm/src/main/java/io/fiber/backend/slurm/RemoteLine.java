// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/**
 * A line for the user's own shell on a login node, whatever shell that is, which runs a script of the standard shell. What
 * start-up files of that shell print comes before a mark, so it is told from what the script prints.
 */
final class RemoteLine {

    /** What has come when the script has begun. */
    static final Pattern MARK = Pattern.compile("\u0001fiber\u0001\n");

    private static final String PRINT_MARK = "printf '\\001fiber\\001\\n'; printf '\\001fiber\\001\\n' >&2\n";

    private RemoteLine() {}

    /** Returns the line; no shell finds a sign in it that it would change, not even csh, fish or one of another locale. */
    static String of(String script) {
        return "exec /bin/sh -c 'eval \"$(printf %b \"$1\")\"' fiber '"
                + encoded((PRINT_MARK + script).getBytes(StandardCharsets.UTF_8)) + "'";
    }

    /** Returns bytes in signs that no shell changes, for {@code printf %b}. */
    static String encoded(byte[] bytes) {
        StringBuilder line = new StringBuilder();
        for (byte each : bytes) {
            boolean isPlain = each >= ' ' && each <= '~' && each != '\'' && each != '\\' && each != '!';
            line.append(isPlain ? String.valueOf((char) each) : String.format("\\0%03o", each & 0xff));
        }
        return line.toString();
    }
}
