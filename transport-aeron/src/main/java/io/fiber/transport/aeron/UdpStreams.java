// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.aeron;

import io.aeron.Image;
import io.aeron.Subscription;

/** Streams over the network. While they are in use, the guard admits their packets. */
abstract sealed class UdpStreams extends StreamPair {

    private final StreamGuard guard;

    private UdpStreams(AeronNode node, AeronAddress address, AeronLink.Side side, StreamGuard guard) {
        super(node, address, side);
        this.guard = guard;
        guard.expect(incoming(), outgoing(), address.shape());
    }

    @Override
    final boolean isInMemory() {
        return false;
    }

    @Override
    final void release() {
        super.release();
        guard.forget(incoming(), outgoing());
    }

    /** The streams of the dialling side. Both begin with a packet that this side sends. */
    static final class Dialled extends UdpStreams {

        private final AeronAddress.Udp address;
        private final String host;
        private final String own;

        Dialled(AeronNode node, AeronAddress.Udp address, StreamGuard guard) {
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
                hasMoved |=
                        publish("aeron:udp?endpoint=" + host + ":" + address.dataPort() + "|response-correlation-id="
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

    /** The streams of the inviting side. It answers the peer that dials, and does not need the peer's address. */
    static final class Invited extends UdpStreams {

        private final LinkShape shape;
        private final UdpEndpoints endpoints;

        Invited(AeronNode node, AeronAddress address, UdpEndpoints endpoints, StreamGuard guard) {
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
}
