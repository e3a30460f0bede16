// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What to do about a task whose workers are lost, as far as their end tells why. */
final class LossAdvice {

    /** An end by the program's own will: the code of another one is in parentheses. */
    private static final Pattern OWN_EXIT = Pattern.compile("(?:^|, )exit code (\\d{1,3})(?!\\d)(.*)", Pattern.DOTALL);

    private static final Pattern PERHAPS_MEMORY =
            Pattern.compile("memory|signal 9(?!\\d)|exit code 137(?!\\d)|connection lost|(?:^|, )unknown\\b");
    /** From here on a shell, and a platform, means a signal. */
    private static final int FIRST_SIGNAL_CODE = 129;

    private LossAdvice() {}

    static String on(String exitDescription, List<String> lastLogLines) {
        String how = exitDescription.toLowerCase(Locale.ROOT);
        if (lastLogLines.stream().noneMatch(line -> line.contains("OutOfMemoryError"))) {
            if (isOwnExit(how)) {
                return "If the task, or a library of it, calls System.exit, it must not: that ends the worker. If it may run"
                        + " more often, raise retries.";
            }
            if (!PERHAPS_MEMORY.matcher(how).find()) {
                return "If the task may run more often, raise retries.";
            }
        }
        return "If the task needs more memory, give its workers more (resources); if it may run more often, raise retries.";
    }

    private static boolean isOwnExit(String how) {
        Matcher exit = OWN_EXIT.matcher(how);
        return exit.find()
                && Integer.parseInt(exit.group(1)) < FIRST_SIGNAL_CODE
                && !exit.group(2).contains("memory");
    }
}
