// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.wire;

import io.fiber.runtime.wire.codec.BodyDecoder;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;

/**
 * Joins the parts of one payload. Memory is taken as the bytes arrive, never by what was announced. Belongs to one thread.
 */
final class PayloadJoiner {

    private static final int FIRST_SEGMENT_BYTES = 1 << 16;

    private final int templateId;
    private final int blockLength;
    private final int version;
    private final int sealer;
    private final long sealCounter;
    private final List<byte[]> segments = new ArrayList<>();
    private long missing;
    private long received;
    private byte[] segment;
    private int position;

    PayloadJoiner(Message message, BodyDecoder body, long length) {
        templateId = message.templateId;
        blockLength = message.blockLength;
        version = message.version;
        sealer = body.sealer();
        sealCounter = body.sealCounter();
        missing = length;
        segment = new byte[(int) Math.min(length, FIRST_SEGMENT_BYTES)];
    }

    long missing() {
        return missing;
    }

    void append(DirectBuffer source, int offset, int length) {
        int done = 0;
        while (done < length) {
            if (position == segment.length) {
                segments.add(segment);
                segment = new byte[(int) Math.min(missing, Math.min(received, Payload.GREATEST_SEGMENT_BYTES))];
                position = 0;
            }
            int part = Math.min(length - done, segment.length - position);
            source.getBytes(offset + done, segment, position, part);
            position += part;
            done += part;
            missing -= part;
            received += part;
        }
    }

    void restore(Message message) {
        message.templateId = templateId;
        message.blockLength = blockLength;
        message.version = version;
    }

    Parcel toParcel() {
        segments.add(segment);
        return new Parcel(Payload.of(segments), sealer, sealCounter);
    }
}
