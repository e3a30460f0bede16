// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.logging;

import java.util.ServiceLoader;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Hands records to what the JVM logs with. The first look-up takes a JVM 50 ms, so it is made for the first record. */
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

    /** Tells whether the user has installed something, or has configured what the JDK has. */
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

    /** Tells whether records reach {@code java.util.logging} and the program has not configured it. */
    static boolean isJul() {
        return hasJul() && !isOfUser();
    }

    private static boolean hasJul() {
        return ModuleLayer.boot().findModule("java.logging").isPresent();
    }

    /** It takes the class that calls {@link System.Logger} for the source of a record: this one, unless it is told another. */
    private static final class Jul {
        static final boolean IS_USED = hasJul() && !isInstalled();

        static void log(LogRecord entry) {
            // Both kinds of levels have the same numbers.
            Level level = Level.parse(Integer.toString(entry.level().getSeverity()));
            Logger.getLogger(entry.logger()).logp(level, entry.logger(), null, entry.message(), entry.thrown());
        }
    }
}
