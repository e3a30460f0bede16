// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.host;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Records the messages of a logger, until it is closed. Thread-safe. */
public final class LogLines extends Handler implements AutoCloseable {

    private final Logger logger;
    private final @Nullable Level before;
    private final Queue<String> messages = new ConcurrentLinkedQueue<>();

    private LogLines(Logger logger, Level level) {
        this.logger = logger;
        this.before = logger.getLevel();
        logger.setLevel(level);
    }

    /**
     * Starts recording a logger.
     *
     * @param name name of the logger; that of a package also receives the messages of its classes
     * @param level the minimum level that is recorded
     */
    public static LogLines of(String name, Level level) {
        Logger logger = Logger.getLogger(name);
        LogLines lines = new LogLines(logger, level);
        logger.addHandler(lines);
        return lines;
    }

    /** Returns the messages so far, without their exceptions. */
    public List<String> messages() {
        return List.copyOf(messages);
    }

    @Override
    public void publish(LogRecord entry) {
        messages.add(String.valueOf(entry.getMessage()));
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        logger.removeHandler(this);
        logger.setLevel(before);
    }
}
