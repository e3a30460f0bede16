// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool.progress;

import io.fiber.ProgressListener;
import io.fiber.runtime.logging.Logs;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/** The listeners on the class path that show every long call. They are looked for when the first one is. Thread-safe. */
public final class Displays {

    private final boolean onTerminal;
    private @Nullable List<ProgressListener> found;

    /** Creates the displays of a session; those that draw on the terminal are among them if it wants these. */
    public Displays(boolean onTerminal) {
        this.onTerminal = onTerminal;
    }

    synchronized List<ProgressListener> listeners() {
        if (found == null) {
            found = load();
        }
        return found;
    }

    private List<ProgressListener> load() {
        try {
            return ServiceLoader.load(ProgressListener.class).stream()
                    .map(ServiceLoader.Provider::get)
                    .filter(listener -> onTerminal || !listener.drawsOnTerminal())
                    .toList();
        } catch (ServiceConfigurationError e) {
            Logs.of(Displays.class).log(System.Logger.Level.WARNING, "No progress is shown: " + e.getMessage(), e);
            return List.of();
        }
    }
}
