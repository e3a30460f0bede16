// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.aeron;

import io.aeron.Subscription;

/** UDP streams of the dialling side. Both streams begin with a packet that this side sends. */
final class DialledUdpStreams extends UdpStreams {

    private final AeronAddress.Udp address;
    private final String host;
    private final String own;

    DialledUdpStreams(AeronNode node, AeronAddress.Udp address, StreamGuard guard) {
        super(node, address, AeronLink.Side.DIALLING, guard);
        this.address = address;
        this.host = UdpEndpoints.literal(address.host());
        this.own = UdpEndpoints.ownEndpointTowards(address.host(), address.controlPort());
    }

    @Override
    boolean advance() {
        boolean hasMoved = subscription() == null
                && subscribe("aeron:udp?control-mode=response|control=" + host + ":" + address.controlPort() + own);
        Subscription responses = subscription();
        if (responses != null && publication() == null) {
            hasMoved |= publish("aeron:udp?endpoint=" + host + ":" + address.dataPort() + "|response-correlation-id="
                    + responses.registrationId() + "|session-id="
                    + outgoing().session() + address.shape().parameters());
        }
        return findImage() || hasMoved;
    }

    @Override
    boolean isListening() {
        return publication() != null && subscription() != null;
    }
}
