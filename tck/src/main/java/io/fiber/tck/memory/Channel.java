// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.memory;

import io.fiber.spi.transport.Address;

/** The state that the two ends of a link share. Thread-safe. */
final class Channel {

    private static final int RING_BYTES = 64 << 10;

    private final Address address;
    private final FrameRing towardsDialler = new FrameRing(RING_BYTES);
    private final FrameRing towardsInviter = new FrameRing(RING_BYTES);
    private volatile boolean joined;
    private volatile boolean cut;
    private volatile boolean closed;
    private volatile String closeReason = "";
    private volatile long readableUntilNs;

    Channel(Address address) {
        this.address = address;
    }

    Address address() {
        return address;
    }

    FrameRing towards(MemoryLink.Side side) {
        return side == MemoryLink.Side.DIALLER ? towardsDialler : towardsInviter;
    }

    void join() {
        joined = true;
    }

    boolean isJoined() {
        return joined;
    }

    void cut() {
        cut = true;
    }

    void heal() {
        cut = false;
    }

    boolean isCut() {
        return cut;
    }

    /**
     * Closes the channel; the first reason is kept. Accepted frames of a conversation can be read until the given time.
     */
    synchronized void close(String reason, long untilNs) {
        if (!closed) {
            closeReason = reason;
            readableUntilNs = untilNs;
            closed = true;
        }
    }

    long readableUntilNs() {
        return readableUntilNs;
    }

    boolean isClosed() {
        return closed;
    }

    String closeReason() {
        return closeReason;
    }
}
