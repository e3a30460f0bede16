// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm.ssh;

import io.fiber.backend.support.batch.Commands;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A line for the user's own shell on a login node, whatever shell that is, which runs a script of the standard shell. Marks
 * around the output of the script separate it from what start-up files of that shell print.
 */
final class RemoteLine {

    private static final String BEGIN = "\u0001fiber\u0001\n";
    private static final Pattern END = Pattern.compile("\u0001fiber (\\d+)\u0001");
    private static final String PRINT_BEGIN = "printf '\\001fiber\\001\\n'; printf '\\001fiber\\001\\n' >&2\n";
    private static final String PRINT_END =
            "code=$?; printf '\\001fiber %s\\001' $code; printf '\\001fiber 0\\001' >&2; exit $code\n";

    private RemoteLine() {}

    /** Returns the line. No shell changes a character of it, including csh, fish, and shells with another locale. */
    static String of(String script) {
        return "exec /bin/sh -c 'eval \"$(printf %b \"$1\")\"' fiber '"
                + encoded((PRINT_BEGIN + "(\n" + script + "\n)\n" + PRINT_END).getBytes(StandardCharsets.UTF_8)) + "'";
    }

    /** Returns bytes as characters that no shell changes, for {@code printf %b}. */
    static String encoded(byte[] bytes) {
        StringBuilder line = new StringBuilder();
        for (byte each : bytes) {
            boolean isPlain = each >= ' ' && each <= '~' && each != '\'' && each != '\\' && each != '!';
            line.append(isPlain ? String.valueOf((char) each) : String.format("\\0%03o", each & 0xff));
        }
        return line.toString();
    }

    /** Returns whether the script has begun, according to one of its two streams. */
    static boolean hasBegun(String stream) {
        return stream.contains(BEGIN);
    }

    /** Returns the result of the script; empty if it has not ended. Both texts have one character for each byte. */
    static Optional<Commands.Answer> answer(String output, String errors) {
        Matcher ofOutput = END.matcher(output);
        Matcher ofErrors = END.matcher(errors);
        if (!hasBegun(output) || !hasBegun(errors) || !ofOutput.find() || !ofErrors.find()) {
            return Optional.empty();
        }
        return Optional.of(new Commands.Answer(
                Integer.parseInt(ofOutput.group(1)), between(output, ofOutput), between(errors, ofErrors)));
    }

    private static String between(String stream, Matcher end) {
        return stream.substring(stream.indexOf(BEGIN) + BEGIN.length(), end.start());
    }
}
