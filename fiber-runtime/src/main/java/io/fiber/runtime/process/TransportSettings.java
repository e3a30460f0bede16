// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.process;

import io.fiber.runtime.logging.Logs;
import io.fiber.spi.CallerHost;
import io.fiber.spi.Options;
import io.fiber.spi.transport.TransportContext;
import io.fiber.spi.transport.TransportException;
import io.fiber.spi.transport.TransportListener;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * The settings of a transport. Errors of the transport are written to the log of this process.
 *
 * @param removal takes directories to be removed when this process is gone
 */
public record TransportSettings(
        String sessionId,
        Path directory,
        Consumer<Path> removal,
        Options options,
        CallerHost callerHost,
        int maxPeers,
        Duration lease)
        implements TransportContext {

    private static final System.Logger LOG = Logs.of(TransportSettings.class);

    private static final TransportListener LOGGED = new TransportListener() {
        @Override
        public void onFailed(TransportException failure) {
            LOG.log(System.Logger.Level.ERROR, "The transport of this process has failed.", failure);
        }

        @Override
        public void onWarning(String message) {
            LOG.log(System.Logger.Level.WARNING, message);
        }
    };

    @Override
    public TransportListener listener() {
        return LOGGED;
    }

    @Override
    public void removeAtDeath(Path toRemove) {
        removal.accept(toRemove);
    }
}
