// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.simulation;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Takes what the runtime logs: a conductor goes on after an exception, and only the log tells of it. Each thread has a
 * world of its own, and hears of its own errors.
 */
final class LogWatch extends Handler implements AutoCloseable {

    private final Logger logger = Logger.getLogger("io.fiber");
    private final boolean usedParents = logger.getUseParentHandlers();
    private final ThreadLocal<@Nullable String> error = new ThreadLocal<>();

    LogWatch() {
        logger.setUseParentHandlers(false);
        logger.addHandler(this);
    }

    /** Returns the first error of this thread since its last call; null when there was none. */
    @Nullable
    String takeError() {
        String taken = error.get();
        if (taken != null) {
            error.remove();
        }
        return taken;
    }

    @Override
    public void publish(LogRecord entry) {
        if (error.get() == null && entry.getLevel().intValue() >= Level.SEVERE.intValue()) {
            StringWriter text = new StringWriter();
            text.write(entry.getMessage());
            if (entry.getThrown() != null) {
                text.write("\n");
                entry.getThrown().printStackTrace(new PrintWriter(text));
            }
            error.set(text.toString());
        }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        logger.removeHandler(this);
        logger.setUseParentHandlers(usedParents);
    }
}
