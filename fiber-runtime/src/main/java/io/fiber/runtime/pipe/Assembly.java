// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pipe;

import io.fiber.runtime.channel.PartKind;
import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.protocol.PayloadInput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** A message whose parts arrive. Memory is taken as the bytes arrive, never by what was announced. One thread. */
final class Assembly {

    private static final int FIRST_SEGMENT_BYTES = 1 << 16;

    private final PartKind kind;
    private final List<byte[]> segments = new ArrayList<>();
    private byte[] segment;
    private int position;
    private long missing;
    private long received;

    Assembly(PartKind kind, long length) {
        this.kind = kind;
        this.missing = length;
        this.segment = new byte[(int) Math.min(length, FIRST_SEGMENT_BYTES)];
    }

    boolean isWhole() {
        return missing == 0;
    }

    void take(ByteBuffer content) {
        while (content.hasRemaining() && missing > 0) {
            int part = Math.min(content.remaining(), room());
            content.get(segment, position, part);
            taken(part);
        }
    }

    void take(PayloadInput in) throws IOException {
        while (missing > 0) {
            int part = (int) Math.min(missing, room());
            in.readExactly(segment, position, part);
            taken(part);
        }
    }

    private int room() {
        if (position == segment.length) {
            segments.add(segment);
            segment = new byte[(int) Math.min(missing, Math.min(received, Payload.GREATEST_SEGMENT_BYTES))];
            position = 0;
        }
        return segment.length - position;
    }

    private void taken(int count) {
        position += count;
        received += count;
        missing -= count;
    }

    Incoming toIncoming() {
        segments.add(segment);
        return new Incoming(kind, Payload.of(segments));
    }
}
