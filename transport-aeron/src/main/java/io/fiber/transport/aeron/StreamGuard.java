// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.aeron;

import java.net.InetSocketAddress;
import org.agrona.collections.Long2ObjectHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Knows which streams are expected from the network, and keeps all others from the driver, because Aeron would map
 * whatever a stranger's SETUP requests. The first address that sets up a stream owns it. Not thread-safe; belongs to
 * the thread that drives the driver, which also is the only one that uses the endpoints.
 */
final class StreamGuard {

    private final TransportCounters counters;
    private final Long2ObjectHashMap<Expected> received = new Long2ObjectHashMap<>();
    private final Long2ObjectHashMap<Expected> sent = new Long2ObjectHashMap<>();

    StreamGuard(TransportCounters counters) {
        this.counters = counters;
    }

    /** One stream, and the first address that used it. */
    private static final class Expected {
        private final LinkShape shape;
        private @Nullable InetSocketAddress peer;

        Expected(LinkShape shape) {
            this.shape = shape;
        }

        boolean isFrom(InetSocketAddress source) {
            return peer != null && peer.equals(source);
        }

        boolean claim(InetSocketAddress source) {
            if (peer == null) {
                peer = source;
                return true;
            }
            return peer.equals(source);
        }
    }

    void expect(StreamId incoming, StreamId outgoing, LinkShape shape) {
        received.put(incoming.key(), new Expected(shape));
        sent.put(outgoing.key(), new Expected(shape));
    }

    void forget(StreamId incoming, StreamId outgoing) {
        received.remove(incoming.key());
        sent.remove(outgoing.key());
    }

    boolean admitsSetup(int stream, int session, LinkShape offered, InetSocketAddress source) {
        Expected expected = received.get(StreamId.key(stream, session));
        if (expected != null
                && offered.termLengthBytes() == expected.shape.termLengthBytes()
                && offered.mtuBytes() == expected.shape.mtuBytes()
                && expected.claim(source)) {
            return true;
        }
        counters.countRefusedSetup();
        return false;
    }

    /** Returns the shape of a stream that {@code source} owns; otherwise returns null and counts a rejection. */
    @Nullable
    LinkShape shapeOfData(int stream, int session, InetSocketAddress source) {
        Expected expected = received.get(StreamId.key(stream, session));
        if (expected != null && expected.isFrom(source)) {
            return expected.shape;
        }
        counters.countRefusedData();
        return null;
    }

    void refuseData() {
        counters.countRefusedData();
    }

    void refuseSetup() {
        counters.countRefusedSetup();
    }

    void refuseControl() {
        counters.countRefusedControl();
    }

    /** Returns whether a packet about a stream that this process sends comes from the peer that receives it. */
    boolean admitsControl(int stream, int session, InetSocketAddress source) {
        Expected expected = sent.get(StreamId.key(stream, session));
        if (expected != null && expected.claim(source)) {
            return true;
        }
        counters.countRefusedControl();
        return false;
    }
}
