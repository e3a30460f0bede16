// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.logging;

import io.fiber.runtime.config.ConfigKey;
import io.fiber.runtime.config.FiberConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Where Fiber's own records of this process go. Thread-safe.
 *
 * <p>In a program they go to {@link System.Logger}, so that the program decides, and to the file of the setting
 * {@code log-file}. A worker is Fiber's own program: its records go to that file, else to what the user has installed for
 * {@link System.Logger}, else to standard error.
 */
public final class Logs {

    private static final Logs OF_PROCESS = new Logs(new SystemTarget());

    private final CopyOnWriteArrayList<LogFile> files = new CopyOnWriteArrayList<>();
    private volatile LogTarget first;

    Logs(LogTarget first) {
        this.first = first;
    }

    /** Returns the logger of a class. Costs nothing until there is something to say. */
    public static System.Logger of(Class<?> source) {
        return new FiberLogger(source.getName(), OF_PROCESS);
    }

    /**
     * Sends the records of a worker where its settings say. Called once, before anything is logged. It is on the way of
     * each start, so it makes no lambda, of which the first takes a JVM milliseconds.
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
        return pattern.isPresent() ? file(pattern.get(), name, config) : new WorkerConsole(name, Threshold.of(config));
    }

    private static LogFile file(Path pattern, String name, FiberConfig config) {
        return new LogFile(
                LogFile.expand(pattern.toString(), name),
                config.size(ConfigKey.LOG_FILE_LIMIT),
                name,
                Threshold.of(config));
    }

    /** Writes this process's records also into the file that the settings name, until the result is closed. */
    public static AutoCloseable alsoToFile(String name, FiberConfig config) {
        Optional<LogFile> file = config.path(ConfigKey.LOG_FILE).map(pattern -> file(pattern, name, config));
        file.ifPresent(OF_PROCESS.files::add);
        return () -> file.ifPresent(OF_PROCESS::close);
    }

    private void close(LogFile file) {
        files.remove(file);
        file.close();
    }

    /** Tells whether a logger takes a record of this level. */
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

    /** Hands a record to everybody who takes it. Two sessions that log to one file write each record once. */
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

    /** The least severe level that is written. */
    record Threshold(int severity) {

        static Threshold of(FiberConfig config) {
            return of(config.text(ConfigKey.LOG_LEVEL).orElseThrow());
        }

        static Threshold of(String level) {
            return new Threshold(
                    System.Logger.Level.valueOf(level.toUpperCase(Locale.ROOT)).getSeverity());
        }

        boolean passes(System.Logger.Level level) {
            return level != System.Logger.Level.OFF && level.getSeverity() >= severity;
        }
    }
}
