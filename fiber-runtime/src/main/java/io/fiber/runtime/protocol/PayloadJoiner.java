// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.protocol;

import io.fiber.runtime.protocol.codec.BodyDecoder;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;

/**
 * Joins the parts of one payload. Memory is taken as the bytes arrive, never by what was announced. A payload for which the
 * heap has no room, alone or beside others, is read to its end and not kept: its receiver goes on, and reports the
 * error. Belongs to one thread.
 */
final class PayloadJoiner {

    private static final int FIRST_SEGMENT_BYTES = 1 << 16;
    private static final byte[] NOTHING = new byte[0];

    private final int templateId;
    private final int blockLength;
    private final int version;
    private final int sealer;
    private final long sealCounter;
    private final List<byte[]> segments = new ArrayList<>();
    private final long length;
    private final HeapShare heap;
    private final long besideBytes;
    private boolean refused;
    private long missing;
    private long received;
    private byte[] segment;
    private int position;

    PayloadJoiner(Message message, BodyDecoder body, long length, HeapShare heap) {
        this.length = length;
        this.heap = heap;
        refused = !heap.take(length);
        besideBytes = refused ? heap.besideBytes(length) : 0;
        templateId = message.templateId;
        blockLength = message.blockLength;
        version = message.version;
        sealer = body.sealer();
        sealCounter = body.sealCounter();
        missing = length;
        segment = new byte[refused ? 0 : (int) Math.min(length, FIRST_SEGMENT_BYTES)];
    }

    long missing() {
        return missing;
    }

    void append(DirectBuffer source, int offset, int count) {
        if (!refused) {
            try {
                keep(source, offset, count);
            } catch (OutOfMemoryError e) {
                drop();
            }
        }
        missing -= count;
        received += count;
    }

    private void keep(DirectBuffer source, int offset, int count) {
        int done = 0;
        while (done < count) {
            if (position == segment.length) {
                segments.add(segment);
                long left = missing - done;
                segment = new byte[(int) Math.min(left, Math.min(received + done, Payload.GREATEST_SEGMENT_BYTES))];
                position = 0;
            }
            int part = Math.min(count - done, segment.length - position);
            source.getBytes(offset + done, segment, position, part);
            position += part;
            done += part;
        }
    }

    /** Keeps nothing of it. */
    void drop() {
        if (!refused) {
            refused = true;
            heap.giveBack(length);
            segments.clear();
            segment = NOTHING;
        }
    }

    void restore(Message message) {
        message.templateId = templateId;
        message.blockLength = blockLength;
        message.version = version;
    }

    SealedPayload toPayload() {
        if (refused) {
            return new SealedPayload(Payload.refused(length, besideBytes), sealer, sealCounter);
        }
        segments.add(segment);
        Payload payload = Payload.of(segments);
        heap.hold(payload);
        return new SealedPayload(payload, sealer, sealCounter);
    }
}
