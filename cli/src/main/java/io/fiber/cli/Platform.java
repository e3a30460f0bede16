// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli;

import io.fiber.FiberException;
import io.fiber.cli.run.BackendAccess;
import io.fiber.cli.run.ProgramBackends;
import io.fiber.cli.run.Run;
import io.fiber.runtime.config.ConfigKey;
import io.fiber.runtime.config.ConfigSources;
import io.fiber.spi.backend.Backend;
import io.fiber.spi.backend.BackendProvider;
import io.fiber.spi.backend.Program;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The platform that a command line or the record of a run selects. Its backend is open until this is closed.
 *
 * @param chosen the selected backend
 * @param access access to it
 */
record Platform(ProgramBackends chosen, BackendAccess access) implements AutoCloseable {

    private static final Program NONE = new Program.Command(List.of("fiber"));

    /**
     * Opens the platform that a command line selects.
     *
     * @throws FiberException if no backend can be selected
     * @throws io.fiber.spi.backend.BackendException if it does not open
     */
    static Platform of(SessionOptions session) {
        return open(session.backend(), session.sources());
    }

    /** Opens the platform that keeps a run, as {@link #of(SessionOptions)} does. */
    static Platform of(Run run) {
        Map<String, String> inCode = new LinkedHashMap<>(run.settings());
        inCode.put(ConfigKey.BACKEND.key(), run.backend());
        return open(Optional.of(run.backend()), ConfigSources.system(inCode));
    }

    private static Platform open(Optional<String> named, ConfigSources sources) {
        ProgramBackends chosen = ProgramBackends.select(NONE, named, sources);
        try {
            BackendProvider provider = chosen.backend().provider();
            return new Platform(
                    chosen, BackendAccess.open(provider, chosen.config().optionsOf(provider)));
        } catch (RuntimeException e) {
            chosen.close();
            throw e;
        }
    }

    /** Returns the name of its backend. */
    String name() {
        return chosen.backend().provider().name();
    }

    Backend backend() {
        return access.backend();
    }

    @Override
    public void close() {
        try (chosen) {
            access.close();
        }
    }
}
