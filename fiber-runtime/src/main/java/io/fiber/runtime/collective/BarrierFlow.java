// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.collective;

import java.nio.ByteBuffer;

/**
 * A barrier. Each member sends one token less than there are members, the first at once and each further one when one has
 * arrived: the k-th says that k members, counted backwards from its sender, have come.
 */
final class BarrierFlow implements Flow {

    private final int count;
    private int sent;
    private int taken;

    /**
     * Creates the part of one member.
     *
     * @param size how many members there are, at least 2
     */
    BarrierFlow(int size) {
        this.count = size - 1;
    }

    @Override
    public int nextPart(int room) {
        return sent < count && sent <= taken ? 1 : 0;
    }

    @Override
    public long remaining() {
        return 1;
    }

    @Override
    public void fill(ByteBuffer target) {
        target.put((byte) 0);
        sent++;
    }

    @Override
    public boolean hasSent() {
        return sent == count;
    }

    @Override
    public void take(long remaining, ByteBuffer content) {
        if (hasReceived() || content.remaining() != 1) {
            throw new IllegalStateException(content.remaining() + " bytes have arrived where a token was expected.");
        }
        taken++;
    }

    @Override
    public boolean hasReceived() {
        return taken == count;
    }
}
