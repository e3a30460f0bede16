// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.aeron;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.Image;
import io.aeron.Subscription;
import org.jspecify.annotations.Nullable;

/**
 * The two streams of a link, which are created step by step without blocking. Not thread-safe; belongs to the thread
 * that drives the transport.
 */
abstract class StreamPair {

    private static final long NONE = Aeron.NULL_VALUE;

    private final AeronNode node;
    private final StreamId incoming;
    private final StreamId outgoing;
    private long publicationId = NONE;
    private long subscriptionId = NONE;
    private @Nullable ExclusivePublication publication;
    private @Nullable Subscription subscription;
    private @Nullable Image image;
    private boolean isReleased;

    StreamPair(AeronNode node, AeronAddress address, AeronLink.Side side) {
        boolean isInviting = side == AeronLink.Side.INVITING;
        this.node = node;
        this.incoming = isInviting ? address.toInviter() : address.toDialler();
        this.outgoing = isInviting ? address.toDialler() : address.toInviter();
    }

    /**
     * Advances as far as possible.
     *
     * @return whether something was done
     */
    abstract boolean advance();

    /** Returns whether the driver has everything that a peer needs to connect. */
    abstract boolean isListening();

    /** Returns whether the peer's end of a stream can be missing only because the peer has closed it. */
    abstract boolean isInMemory();

    final AeronNode node() {
        return node;
    }

    /** Returns the stream from the peer. */
    final StreamId incoming() {
        return incoming;
    }

    /** Returns the stream to the peer. */
    final StreamId outgoing() {
        return outgoing;
    }

    final @Nullable ExclusivePublication publication() {
        return publication;
    }

    final @Nullable Subscription subscription() {
        return subscription;
    }

    final @Nullable Image image() {
        return image;
    }

    final boolean isConnected() {
        ExclusivePublication out = publication;
        return out != null && image != null && out.isConnected();
    }

    /** Asks the driver for the publication, at the first call. */
    final boolean publish(String channel) {
        if (publicationId == NONE) {
            publicationId = node.client().asyncAddExclusivePublication(channel, outgoing.stream());
            return true;
        }
        if (publication == null) {
            publication = node.client().getExclusivePublication(publicationId);
            return publication != null;
        }
        return false;
    }

    /** Asks the driver for the subscription, at the first call. */
    final boolean subscribe(String channel) {
        if (subscriptionId == NONE) {
            subscriptionId = node.client().asyncAddSubscription(channel, incoming.stream());
            return true;
        }
        if (subscription == null) {
            subscription = node.client().getSubscription(subscriptionId);
            return subscription != null;
        }
        return false;
    }

    /** Takes the peer's stream once it has arrived; only the first one. */
    final boolean findImage() {
        Subscription in = subscription;
        if (image == null && in != null && in.imageCount() > 0) {
            image = in.imageBySessionId(incoming.session());
            return image != null;
        }
        return false;
    }

    /** Returns everything to the driver. */
    void release() {
        if (isReleased || node.failure() != null) {
            return;
        }
        isReleased = true;
        ExclusivePublication out = publication;
        if (out != null) {
            out.close();
        } else if (publicationId != NONE) {
            node.client().asyncRemovePublication(publicationId);
        }
        Subscription in = subscription;
        if (in != null) {
            in.close();
        } else if (subscriptionId != NONE) {
            node.client().asyncRemoveSubscription(subscriptionId);
        }
    }
}
