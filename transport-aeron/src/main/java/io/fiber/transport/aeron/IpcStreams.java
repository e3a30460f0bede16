// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.aeron;

/** Streams in the shared memory of the inviting process's driver. */
final class IpcStreams extends StreamPair {

    private final String subscribeChannel;
    private final String publishChannel;

    private IpcStreams(AeronNode node, StreamId incoming, StreamId outgoing, LinkShape shape) {
        super(node, incoming, outgoing);
        subscribeChannel = "aeron:ipc?session-id=" + incoming.session();
        publishChannel = "aeron:ipc?session-id=" + outgoing.session() + shape.parameters();
    }

    static IpcStreams inviting(AeronNode node, AeronAddress address) {
        return new IpcStreams(node, address.toInviter(), address.toDialler(), address.shape());
    }

    static IpcStreams dialling(AeronNode node, AeronAddress address) {
        return new IpcStreams(node, address.toDialler(), address.toInviter(), address.shape());
    }

    /**
     * Publishes before it subscribes: the driver lets only one client publish under a session, so that a second one which
     * dials the same address is refused before it could read anything.
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
