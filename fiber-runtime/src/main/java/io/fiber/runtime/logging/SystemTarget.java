// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.logging;

import java.util.ServiceLoader;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Passes records on to the JVM's logging. Finding the logger takes a JVM 50 ms at first, so this happens at the first
 * record.
 */
final class SystemTarget implements LogTarget {

    @Override
    public boolean isLoggable(String logger, System.Logger.Level level) {
        return System.getLogger(logger).isLoggable(level);
    }

    @Override
    public void log(LogRecord entry) {
        if (Jul.IS_USED) {
            Jul.log(entry);
        } else {
            System.getLogger(entry.logger()).log(entry.level(), entry.message(), entry.thrown());
        }
    }

    /** Returns whether the user has installed something, or has configured the JDK's logging. */
    static boolean isOfUser() {
        return System.getProperty("java.util.logging.config.file") != null
                || System.getProperty("java.util.logging.config.class") != null
                || isInstalled();
    }

    private static boolean isInstalled() {
        return ServiceLoader.load(System.LoggerFinder.class, ClassLoader.getSystemClassLoader()).stream()
                .findAny()
                .isPresent();
    }

    /** Returns whether records reach {@code java.util.logging} and the program has not configured it. */
    static boolean isJul() {
        return hasJul() && !isOfUser();
    }

    private static boolean hasJul() {
        return ModuleLayer.boot().findModule("java.logging").isPresent();
    }

    /**
     * The JDK takes the class that calls {@link System.Logger} as the source of a record. That would be this class,
     * unless the source is set.
     */
    private static final class Jul {
        static final boolean IS_USED = hasJul() && !isInstalled();

        static void log(LogRecord entry) {
            // Both kinds of levels have the same numbers.
            Level level = Level.parse(Integer.toString(entry.level().getSeverity()));
            Logger.getLogger(entry.logger()).logp(level, entry.logger(), null, entry.message(), entry.thrown());
        }
    }
}
