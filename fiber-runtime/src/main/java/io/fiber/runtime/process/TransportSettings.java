// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.process;

import io.fiber.spi.CallerHost;
import io.fiber.spi.Options;
import io.fiber.spi.transport.TransportContext;
import io.fiber.spi.transport.TransportListener;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * What a transport is told.
 *
 * @param directory a directory of this process
 * @param removal takes directories that are to be removed when this process is gone
 * @param options the transport's options
 * @param callerHost how peers reach this process
 * @param maxPeers how many peers there will be at one time
 * @param lease how long a peer may be silent
 * @param listener who is told of what goes wrong
 */
public record TransportSettings(
        String sessionId,
        Path directory,
        Consumer<Path> removal,
        Options options,
        CallerHost callerHost,
        int maxPeers,
        Duration lease,
        TransportListener listener)
        implements TransportContext {

    @Override
    public void removeAtDeath(Path toRemove) {
        removal.accept(toRemove);
    }
}
