// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.aeron;

import io.aeron.Image;

/** Streams over the network as the inviting side has them: it answers whoever dials, and needs no address of the peer. */
final class InvitedUdpStreams extends StreamPair {

    private final AeronAddress address;
    private final UdpEndpoints endpoints;
    private final StreamGuard guard;

    InvitedUdpStreams(AeronNode node, AeronAddress address, UdpEndpoints endpoints, StreamGuard guard) {
        super(node, address.toInviter(), address.toDialler());
        this.address = address;
        this.endpoints = endpoints;
        this.guard = guard;
        guard.expect(address.toInviter(), address.toDialler(), address.shape());
    }

    @Override
    boolean advance() {
        boolean hasMoved = subscription() == null
                && subscribe("aeron:udp?endpoint=" + endpoints.dataEndpoint() + "|session-id="
                        + address.toInviter().session());
        hasMoved |= findImage();
        Image image = image();
        if (image != null && publication() == null) {
            hasMoved |= publish("aeron:udp?control-mode=response|control=" + endpoints.controlEndpoint()
                    + "|response-correlation-id=" + image.correlationId() + "|session-id="
                    + address.toDialler().session() + "|term-length="
                    + address.shape().termLengthBytes() + "|mtu="
                    + address.shape().mtuBytes());
        }
        return hasMoved;
    }

    @Override
    boolean isListening() {
        return subscription() != null;
    }

    @Override
    boolean isInMemory() {
        return false;
    }

    @Override
    void release() {
        super.release();
        guard.forget(address.toInviter(), address.toDialler());
    }
}
