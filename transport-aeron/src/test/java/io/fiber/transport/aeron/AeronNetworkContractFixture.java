// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.aeron;

import io.fiber.spi.CallerHost;
import io.fiber.tck.transport.TransportFixture;
import java.net.InetAddress;
import java.util.Optional;

/** Two ends that know each other over UDP only. */
public final class AeronNetworkContractFixture extends AeronContractFixture {

    @Override
    public CallerHost callerHost() {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        return new CallerHost(loopback, loopback.getHostAddress(), CallerHost.Reach.NETWORK);
    }

    @Override
    public Optional<Class<? extends TransportFixture>> peerFixture() {
        return Optional.of(AeronNetworkContractFixture.class);
    }
}
