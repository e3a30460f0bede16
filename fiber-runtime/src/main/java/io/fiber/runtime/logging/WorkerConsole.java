// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.logging;

import org.jspecify.annotations.Nullable;

/**
 * The records of a worker without a log file. They go to what the user has installed for {@link System.Logger}, or
 * otherwise to standard error, in lines of which the first begins with {@code fiber:}. Thread-safe.
 */
final class WorkerConsole implements LogTarget {

    private final String process;
    private final System.Logger.Level least;
    private final SystemTarget system = new SystemTarget();
    private volatile @Nullable Boolean isOfUser;

    WorkerConsole(String process, System.Logger.Level least) {
        this.process = process;
        this.least = least;
    }

    @Override
    public boolean isLoggable(String logger, System.Logger.Level level) {
        return Logs.isAtLeast(least, level);
    }

    /** Finding out which one applies takes milliseconds, so this happens at the first record. */
    @Override
    public void log(LogRecord entry) {
        Boolean known = isOfUser;
        if (known == null) {
            known = SystemTarget.isOfUser();
            isOfUser = known;
        }
        if (known) {
            system.log(entry);
        } else {
            System.err.print("fiber: " + process + ": " + entry.body());
        }
    }
}
