// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local.link;

import io.fiber.spi.CallerHost;
import io.fiber.spi.Options;
import io.fiber.spi.transport.TransportContext;
import io.fiber.spi.transport.TransportException;
import io.fiber.spi.transport.TransportListener;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Supplier;

/** What a transport in memory asks for, where nothing else of a session is there. A failure is thrown. */
record LoneContext(String sessionId, Supplier<CallerHost.Reach> reach) implements TransportContext, TransportListener {

    @Override
    public Path directory() {
        return Path.of("unused");
    }

    @Override
    public void removeAtDeath(Path directory) {}

    @Override
    public Options options() {
        return Options.none();
    }

    @Override
    public CallerHost callerHost() {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        return new CallerHost(loopback, loopback.getHostAddress(), reach.get());
    }

    @Override
    public int maxPeers() {
        return 8;
    }

    @Override
    public Duration lease() {
        return Duration.ofSeconds(20);
    }

    @Override
    public TransportListener listener() {
        return this;
    }

    @Override
    public void onFailed(TransportException failure) {
        throw failure;
    }

    @Override
    public void onWarning(String message) {}
}
