// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.logging;

import java.text.MessageFormat;
import java.time.Instant;
import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;

/** A logger of Fiber's own, whose messages are in no resource bundle. Thread-safe. */
final class FiberLogger implements System.Logger {

    private final String name;
    private final Logs logs;

    FiberLogger(String name, Logs logs) {
        this.name = name;
        this.logs = logs;
    }

    @Override
    public String getName() {
        return name;
    }

    @Override
    public boolean isLoggable(Level level) {
        return logs.isLoggable(name, level);
    }

    @Override
    public void log(
            Level level, @Nullable ResourceBundle bundle, @Nullable String message, @Nullable Throwable thrown) {
        if (isLoggable(level)) {
            logs.log(new LogRecord(Instant.now(), name, level, String.valueOf(message), thrown));
        }
    }

    @Override
    public void log(
            Level level, @Nullable ResourceBundle bundle, @Nullable String format, @Nullable Object... parameters) {
        if (isLoggable(level)) {
            boolean plain = parameters == null || parameters.length == 0;
            String message = plain ? String.valueOf(format) : MessageFormat.format(String.valueOf(format), parameters);
            logs.log(new LogRecord(Instant.now(), name, level, message, null));
        }
    }
}
