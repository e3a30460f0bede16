// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.aeron;

import io.aeron.Subscription;

/** Streams over the network as the dialling side has them: both begin with a packet that it sends. */
final class DialledUdpStreams extends StreamPair {

    private final AeronAddress.Udp address;
    private final StreamGuard guard;

    DialledUdpStreams(AeronNode node, AeronAddress.Udp address, StreamGuard guard) {
        super(node, address.toDialler(), address.toInviter());
        this.address = address;
        this.guard = guard;
        guard.expect(address.toDialler(), address.toInviter(), address.shape());
    }

    @Override
    boolean advance() {
        String host = UdpEndpoints.literal(address.host());
        boolean hasMoved = subscription() == null
                && subscribe("aeron:udp?control-mode=response|control=" + host + ":" + address.controlPort());
        Subscription responses = subscription();
        if (responses != null && publication() == null) {
            hasMoved |= publish("aeron:udp?endpoint=" + host + ":" + address.dataPort() + "|response-correlation-id="
                    + responses.registrationId() + "|session-id="
                    + address.toInviter().session() + "|term-length="
                    + address.shape().termLengthBytes() + "|mtu="
                    + address.shape().mtuBytes());
        }
        return findImage() || hasMoved;
    }

    @Override
    boolean isListening() {
        return publication() != null && subscription() != null;
    }

    @Override
    boolean isInMemory() {
        return false;
    }

    @Override
    void release() {
        super.release();
        guard.forget(address.toDialler(), address.toInviter());
    }
}
