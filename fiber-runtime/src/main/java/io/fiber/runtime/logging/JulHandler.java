// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.logging;

import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/**
 * Passes records of transports and other providers of Fiber, which know only {@link System.Logger}, on to the log of
 * the worker. Used only if {@code java.util.logging} has the JDK's own configuration, so nothing that the user has
 * configured is changed.
 */
final class JulHandler extends Handler {

    /** Kept forever, because the JDK holds loggers by weak references. */
    private static final Logger OURS = Logger.getLogger("io.fiber");

    private final LogTarget target;
    private final SimpleFormatter messages = new SimpleFormatter();

    private JulHandler(LogTarget target) {
        this.target = target;
    }

    static void install(LogTarget target) {
        OURS.setUseParentHandlers(false);
        OURS.setLevel(Level.ALL);
        OURS.addHandler(new JulHandler(target));
    }

    @Override
    public void publish(java.util.logging.LogRecord entry) {
        String logger = String.valueOf(entry.getLoggerName());
        System.Logger.Level level = levelOf(entry.getLevel());
        if (target.isLoggable(logger, level)) {
            target.log(
                    new LogRecord(entry.getInstant(), logger, level, messages.formatMessage(entry), entry.getThrown()));
        }
    }

    private static System.Logger.Level levelOf(Level level) {
        for (System.Logger.Level known : System.Logger.Level.values()) {
            if (level.intValue() <= known.getSeverity()) {
                return known;
            }
        }
        return System.Logger.Level.ERROR;
    }

    @Override
    public void flush() {}

    /** Does nothing, because its target ends with the process. */
    @Override
    public void close() {}
}
