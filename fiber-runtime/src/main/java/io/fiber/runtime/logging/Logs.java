// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.logging;

import io.fiber.runtime.config.ConfigKey;
import io.fiber.runtime.config.FiberConfig;
import java.nio.file.Path;
import java.text.MessageFormat;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.ResourceBundle;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Fiber's own log of this process. Thread-safe.
 *
 * <p>In a program, records go to {@link System.Logger}, so that the program decides, and to the file of the setting
 * {@code log-file}. A worker is Fiber's own program. Its records go to that file; without the setting, they go to what
 * the user has installed for {@link System.Logger}, or to standard error.
 */
public final class Logs {

    private static final Logs OF_PROCESS = new Logs(new SystemTarget());

    private final CopyOnWriteArrayList<LogFile> files = new CopyOnWriteArrayList<>();
    private volatile LogTarget first;

    Logs(LogTarget first) {
        this.first = first;
    }

    /** Returns the logger of a class. Costs nothing until something is logged. */
    public static System.Logger of(Class<?> source) {
        return new FiberLogger(source.getName());
    }

    /**
     * Sends the records of a worker where its settings say. Called once, before anything is logged. Every start runs
     * it, so it creates no lambda: the first one takes a JVM milliseconds.
     */
    public static void enterWorker(String name, FiberConfig config) {
        OF_PROCESS.first = targetOfWorker(name, config);
        boolean changed = config.path(ConfigKey.LOG_FILE).isPresent()
                || !config.text(ConfigKey.LOG_LEVEL).equals(ConfigKey.LOG_LEVEL.defaultValue());
        if (changed && SystemTarget.isJul()) {
            JulHandler.install(OF_PROCESS.first);
        }
    }

    private static LogTarget targetOfWorker(String name, FiberConfig config) {
        Optional<Path> pattern = config.path(ConfigKey.LOG_FILE);
        return pattern.isPresent() ? file(pattern.get(), name, config) : new WorkerConsole(name, leastLevel(config));
    }

    private static LogFile file(Path pattern, String name, FiberConfig config) {
        return new LogFile(
                LogFile.expand(pattern.toString(), name),
                config.size(ConfigKey.LOG_FILE_LIMIT),
                name,
                leastLevel(config));
    }

    /** Also writes this process's records into the file of the settings, until the result is closed. */
    public static AutoCloseable alsoToFile(String name, FiberConfig config) {
        Optional<LogFile> file = config.path(ConfigKey.LOG_FILE).map(pattern -> file(pattern, name, config));
        file.ifPresent(OF_PROCESS.files::add);
        return () -> file.ifPresent(OF_PROCESS::close);
    }

    private void close(LogFile file) {
        files.remove(file);
        file.close();
    }

    boolean isLoggable(String logger, System.Logger.Level level) {
        if (first.isLoggable(logger, level)) {
            return true;
        }
        for (LogFile file : files) {
            if (file.isLoggable(logger, level)) {
                return true;
            }
        }
        return false;
    }

    /** Passes a record on to all targets. If two sessions log to one file, they write each record once. */
    void log(LogRecord entry) {
        LogTarget target = first;
        if (target.isLoggable(entry.logger(), entry.level())) {
            target.log(entry);
        }
        List<LogFile> open = files;
        for (int i = 0; i < open.size(); i++) {
            LogFile file = open.get(i);
            if (file.isLoggable(entry.logger(), entry.level()) && !isWrittenBefore(open, i)) {
                file.log(entry);
            }
        }
    }

    private static boolean isWrittenBefore(List<LogFile> open, int index) {
        for (int i = 0; i < index; i++) {
            if (open.get(i).path().equals(open.get(index).path())) {
                return true;
            }
        }
        return false;
    }

    private static System.Logger.Level leastLevel(FiberConfig config) {
        return System.Logger.Level.valueOf(
                config.text(ConfigKey.LOG_LEVEL).orElseThrow().toUpperCase(Locale.ROOT));
    }

    /** Returns whether records of this level are written if {@code least} is the lowest level that is. */
    static boolean isAtLeast(System.Logger.Level least, System.Logger.Level level) {
        return level != System.Logger.Level.OFF && level.compareTo(least) >= 0;
    }

    /**
     * A logger of Fiber, whose messages are in no resource bundle. If the program's logging throws, perhaps permanently
     * because one of its classes could not be initialized without memory, only the record is lost: records are also
     * written while the engine ends.
     */
    private record FiberLogger(String name) implements System.Logger {
        @Override
        public String getName() {
            return name;
        }

        @Override
        public boolean isLoggable(Level level) {
            try {
                return OF_PROCESS.isLoggable(name, level);
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

        private void write(
                Level level,
                @Nullable String format,
                @Nullable Object @Nullable [] parameters,
                @Nullable Throwable thrown) {
            try {
                if (OF_PROCESS.isLoggable(name, level)) {
                    boolean plain = parameters == null || parameters.length == 0;
                    String message =
                            plain ? String.valueOf(format) : MessageFormat.format(String.valueOf(format), parameters);
                    OF_PROCESS.log(new LogRecord(Instant.now(), name, level, message, thrown));
                }
            } catch (Throwable e) {
                // There is no other way to report it.
            }
        }
    }
}
