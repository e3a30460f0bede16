// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.aeron;

/** Streams over the network. While they are in use the guard lets their packets in. */
abstract class UdpStreams extends StreamPair {

    private final Ways ways;
    private final StreamGuard guard;

    /** Which stream comes and which goes, seen from here. */
    record Ways(StreamId incoming, StreamId outgoing) {}

    UdpStreams(AeronNode node, Ways ways, LinkShape shape, StreamGuard guard) {
        super(node, ways.incoming(), ways.outgoing());
        this.ways = ways;
        this.guard = guard;
        guard.expect(ways.incoming(), ways.outgoing(), shape);
    }

    @Override
    final boolean isInMemory() {
        return false;
    }

    @Override
    final void release() {
        super.release();
        guard.forget(ways.incoming(), ways.outgoing());
    }
}
