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
        try {
            return logs.isLoggable(name, level);
        } catch (Throwable e) {
            return false;
        }
    }

    @Override
    public void log(
            Level level, @Nullable ResourceBundle bundle, @Nullable String message, @Nullable Throwable thrown) {
        write(level, message, null, thrown);
    }

    @Override
    public void log(
            Level level, @Nullable ResourceBundle bundle, @Nullable String format, @Nullable Object... parameters) {
        write(level, format, parameters, null);
    }

    /**
     * Writes a record. Where the program's logging throws, for ever perhaps because one of its classes found no memory to be
     * initialized, the record is lost, and nothing else: records are written while the engine ends.
     */
    private void write(
            Level level,
            @Nullable String format,
            @Nullable Object @Nullable [] parameters,
            @Nullable Throwable thrown) {
        try {
            if (logs.isLoggable(name, level)) {
                boolean plain = parameters == null || parameters.length == 0;
                String message =
                        plain ? String.valueOf(format) : MessageFormat.format(String.valueOf(format), parameters);
                logs.log(new LogRecord(Instant.now(), name, level, message, thrown));
            }
        } catch (Throwable e) {
            // Nothing is left to say it with.
        }
    }
}
