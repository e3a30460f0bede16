// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.aeron;

/** Streams in the shared memory of the inviting process's driver. */
final class IpcStreams extends StreamPair {

    private final String subscribeChannel;
    private final String publishChannel;

    IpcStreams(AeronNode node, AeronAddress address, AeronLink.Side side) {
        super(node, address, side);
        subscribeChannel = "aeron:ipc?session-id=" + incoming().session();
        publishChannel =
                "aeron:ipc?session-id=" + outgoing().session() + address.shape().parameters();
    }

    /**
     * Publishes before it subscribes. The driver lets only one client publish under a session, so a second client that
     * dials the same address is refused before it can read anything.
     */
    @Override
    boolean advance() {
        boolean hasMoved = publish(publishChannel);
        if (publication() != null) {
            hasMoved |= subscribe(subscribeChannel);
        }
        return findImage() || hasMoved;
    }

    @Override
    boolean isListening() {
        return publication() != null && subscription() != null;
    }

    @Override
    boolean isInMemory() {
        return true;
    }
}
