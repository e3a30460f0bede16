// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.aeron;

import io.aeron.Image;

/** UDP streams of the inviting side. It answers the peer that dials, and does not need the peer's address. */
final class InvitedUdpStreams extends UdpStreams {

    private final LinkShape shape;
    private final UdpEndpoints endpoints;

    InvitedUdpStreams(AeronNode node, AeronAddress address, UdpEndpoints endpoints, StreamGuard guard) {
        super(node, address, AeronLink.Side.INVITING, guard);
        this.shape = address.shape();
        this.endpoints = endpoints;
    }

    @Override
    boolean advance() {
        boolean hasMoved = subscription() == null
                && subscribe("aeron:udp?endpoint=" + endpoints.dataEndpoint() + "|session-id="
                        + incoming().session());
        hasMoved |= findImage();
        Image image = image();
        if (image != null && publication() == null) {
            hasMoved |= publish("aeron:udp?control-mode=response|control=" + endpoints.controlEndpoint()
                    + "|response-correlation-id=" + image.correlationId() + "|session-id="
                    + outgoing().session() + shape.parameters());
        }
        return hasMoved;
    }

    @Override
    boolean isListening() {
        return subscription() != null;
    }
}
