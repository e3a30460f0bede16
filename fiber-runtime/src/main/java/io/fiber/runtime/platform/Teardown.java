// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.platform;

import io.fiber.runtime.logging.Logs;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** What must be ended with a session, the newest first. A fault of one does not keep the others. Thread-safe. */
public final class Teardown {

    private final ArrayDeque<AutoCloseable> parts = new ArrayDeque<>();

    /** Has a part closed, before those that were added earlier. */
    public synchronized <T extends AutoCloseable> T add(T part) {
        parts.push(part);
        return part;
    }

    /** Closes all parts; a second call does nothing. */
    public void run() {
        for (AutoCloseable part = next(); part != null; part = next()) {
            try {
                part.close();
            } catch (Throwable e) {
                Logs.of(Teardown.class).log(System.Logger.Level.WARNING, "A part of a session could not be closed.", e);
            }
        }
    }

    private synchronized @Nullable AutoCloseable next() {
        return parts.poll();
    }
}
