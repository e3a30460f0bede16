// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.logging;

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
}
