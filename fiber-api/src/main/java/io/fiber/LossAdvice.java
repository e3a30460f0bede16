// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Advice for the message about a task whose workers were lost, as far as the exit description tells the cause. */
final class LossAdvice {

    /** Matches an exit that the program chose itself. The exit code of another process is in parentheses. */
    private static final Pattern OWN_EXIT = Pattern.compile("(?:^|, )exit code (\\d{1,3})(?!\\d)(.*)", Pattern.DOTALL);

    private static final Pattern PERHAPS_MEMORY =
            Pattern.compile("memory|signal 9(?!\\d)|exit code 137(?!\\d)|connection lost|(?:^|, )unknown\\b");
    /** Shells and platforms use exit codes from this one on for signals. */
    private static final int FIRST_SIGNAL_CODE = 129;

    /** Exit code of a worker that has lost its master. */
    private static final int MASTER_LOST = 75;

    /** Exit codes of workers that end by a decision of Fiber. A test of the engine compares them with its own. */
    static final Set<Integer> OF_FIBER = Set.of(70, 71, MASTER_LOST, 76, 77, 78);

    private LossAdvice() {}

    static String on(String exitDescription, List<String> lastLogLines) {
        String how = behindTheName(exitDescription).toLowerCase(Locale.ROOT);
        OptionalInt exit = ownExit(how);
        if (lastLogLines.stream().noneMatch(line -> line.contains("OutOfMemoryError"))) {
            if (exit.equals(OptionalInt.of(MASTER_LOST))) {
                return "A worker ends with this code if it has heard nothing from its master for longer than the"
                        + " lease. If the master's host may sleep or pause, raise lease; if the task may safely run"
                        + " again, raise maxReruns.";
            }
            if (exit.isPresent() && !OF_FIBER.contains(exit.getAsInt())) {
                return "Look for System.exit in the task and in the libraries that it uses: it ends the worker. If"
                        + " the task may safely run again, raise maxReruns.";
            }
            if (!PERHAPS_MEMORY.matcher(how).find()) {
                return "If the task may safely run again, raise maxReruns.";
            }
        }
        return "If the task needs more memory, give its workers more (resources); if it may safely run again, raise"
                + " maxReruns.";
    }

    /** Removes the worker's name, which may look like anything. */
    private static String behindTheName(String exitDescription) {
        return exitDescription.substring(exitDescription.indexOf(", ") + 1).strip();
    }

    private static OptionalInt ownExit(String how) {
        Matcher exit = OWN_EXIT.matcher(how);
        boolean isOwn = exit.find()
                && Integer.parseInt(exit.group(1)) < FIRST_SIGNAL_CODE
                && !exit.group(2).contains("memory");
        return isOwn ? OptionalInt.of(Integer.parseInt(exit.group(1))) : OptionalInt.empty();
    }
}
