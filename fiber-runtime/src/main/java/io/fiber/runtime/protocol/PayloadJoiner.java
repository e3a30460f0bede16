// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.protocol;

import io.fiber.runtime.protocol.codec.BodyDecoder;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Joins the parts of one payload. One for which the heap has no room, alone or beside others, is read to its end and not
 * kept: its receiver goes on, and reports the error. Belongs to one thread.
 */
final class PayloadJoiner {

    private final int sealer;
    private final long sealCounter;
    private final long length;
    private final HeapShare heap;
    private final long besideBytes;
    private long missing;
    /** What has arrived; null when nothing of it is kept. */
    private @Nullable PayloadOutput out;

    PayloadJoiner(BodyDecoder body, long length, HeapShare heap) {
        this.length = length;
        this.heap = heap;
        boolean isKept = heap.take(length);
        besideBytes = isKept ? 0 : heap.besideBytes(length);
        sealer = body.sealer();
        sealCounter = body.sealCounter();
        missing = length;
        out = isKept ? PayloadOutput.ofAnnounced(length) : null;
    }

    long missing() {
        return missing;
    }

    void append(DirectBuffer source, int offset, int count) {
        if (out != null) {
            try {
                out.write(source, offset, count);
            } catch (OutOfMemoryError e) {
                drop();
            }
        }
        missing -= count;
    }

    /** Keeps nothing of it. */
    void drop() {
        if (out != null) {
            out = null;
            heap.giveBack(length);
        }
    }

    SealedPayload toPayload() {
        if (out == null) {
            return new SealedPayload(Payload.refused(length, besideBytes), sealer, sealCounter);
        }
        Payload payload = out.toPayload();
        heap.hold(payload);
        return new SealedPayload(payload, sealer, sealCounter);
    }
}
