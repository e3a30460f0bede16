// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.aeron;

/** Streams over the network. While they are in use, the guard admits their packets. */
abstract class UdpStreams extends StreamPair {

    private final StreamGuard guard;

    UdpStreams(AeronNode node, AeronAddress address, AeronLink.Side side, StreamGuard guard) {
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
}
