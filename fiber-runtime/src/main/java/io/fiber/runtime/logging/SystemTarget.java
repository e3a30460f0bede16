// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.logging;

import java.util.ServiceLoader;

/** Hands records to what the JVM logs with. The first look-up takes a JVM 50 ms, so it is made for the first record. */
final class SystemTarget implements LogTarget {

    @Override
    public boolean isLoggable(String logger, System.Logger.Level level) {
        return System.getLogger(logger).isLoggable(level);
    }

    @Override
    public void log(LogRecord entry) {
        System.getLogger(entry.logger()).log(entry.level(), entry.message(), entry.thrown());
    }

    /** Tells whether the user has installed something, or has configured what the JDK has. */
    static boolean isOfUser() {
        return System.getProperty("java.util.logging.config.file") != null
                || System.getProperty("java.util.logging.config.class") != null
                || ServiceLoader.load(System.LoggerFinder.class, ClassLoader.getSystemClassLoader()).stream()
                        .findAny()
                        .isPresent();
    }

    /** Tells whether records reach {@code java.util.logging} and the program has not configured it. */
    static boolean isJul() {
        return ModuleLayer.boot().findModule("java.logging").isPresent() && !isOfUser();
    }
}
