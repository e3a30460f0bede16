// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.collective;

import io.fiber.runtime.protocol.Payload;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A value that travels once along the ring from its root to the member before the root. Each member forwards what it
 * has while the rest is still arriving. Memory is allocated as bytes arrive, not for the announced length.
 */
final class BroadcastFlow implements Flow {

    private final boolean sends;
    private final boolean receives;
    private final List<byte[]> segments = new ArrayList<>();
    private long length;
    private long taken;
    private int sentSegment;
    private int sentOfSegment;
    private long sent;

    BroadcastFlow(boolean sends, boolean receives) {
        this.sends = sends;
        this.receives = receives;
    }

    static BroadcastFlow ofRoot(Payload payload) {
        BroadcastFlow passing = new BroadcastFlow(true, false);
        passing.segments.addAll(payload.segments());
        passing.length = payload.length();
        passing.taken = payload.length();
        return passing;
    }

    /** Returns the payload once it has arrived completely. */
    Payload payload() {
        return Payload.of(segments);
    }

    @Override
    public boolean sends() {
        return sends;
    }

    @Override
    public boolean receives() {
        return receives;
    }

    @Override
    public int nextPart(int room) {
        return sends ? (int) Math.min(room, taken - sent) : 0;
    }

    @Override
    public long remaining() {
        return length - sent;
    }

    @Override
    public void fill(ByteBuffer target) {
        while (target.hasRemaining()) {
            byte[] segment = segments.get(sentSegment);
            int part = Math.min(segment.length - sentOfSegment, target.remaining());
            target.put(segment, sentOfSegment, part);
            sentOfSegment += part;
            sent += part;
            if (sentOfSegment == segment.length) {
                sentSegment++;
                sentOfSegment = 0;
            }
        }
    }

    @Override
    public boolean hasSent() {
        return !sends || (length > 0 && sent == length);
    }

    @Override
    public void take(long remaining, ByteBuffer content) {
        if (length == 0) {
            length = remaining;
        }
        if (hasReceived() || remaining != length - taken || content.remaining() > remaining) {
            throw new IllegalStateException(content.remaining() + " of " + remaining
                    + " bytes have arrived where they cannot belong to the value.");
        }
        byte[] segment = new byte[content.remaining()];
        content.get(segment);
        segments.add(segment);
        taken += segment.length;
    }

    @Override
    public boolean hasReceived() {
        return !receives || (length > 0 && taken == length);
    }
}
