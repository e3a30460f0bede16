// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import io.fiber.runtime.pool.scheduling.Chunk;
import io.fiber.runtime.pool.scheduling.Items;
import io.fiber.runtime.protocol.Encoders;
import io.fiber.runtime.protocol.Outgoing;
import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.runtime.protocol.codec.AssignEncoder;
import io.fiber.runtime.protocol.codec.Input;
import io.fiber.runtime.protocol.codec.MessageHeaderEncoder;
import org.agrona.MutableDirectBuffer;

/** The message that gives a chunk to a worker. */
record Assignment(Chunk chunk) implements Outgoing {

    private static final int HEADER_LENGTH = MessageHeaderEncoder.ENCODED_LENGTH + AssignEncoder.BLOCK_LENGTH;

    @Override
    public int headerLength() {
        return HEADER_LENGTH;
    }

    /** What concerns other chunks may pass it. It passes no other one, because a slot runs its chunks in their order. */
    @Override
    public long flow() {
        return chunk.id();
    }

    @Override
    public SealedPayload payload() {
        return chunk.items().payload();
    }

    @Override
    public void encode(MutableDirectBuffer buffer, int offset, Encoders codecs) {
        Items items = chunk.items();
        codecs.assign()
                .wrapAndApplyHeader(buffer, offset, codecs.header())
                .chunk(chunk.id())
                .firstValue(items.firstValue())
                .firstItem(items.passOver())
                .count(items.count())
                .function(chunk.function().id())
                .attempt(chunk.attempt())
                .input(input(items.form()))
                .announce((short) (chunk.isAnnounced() ? 1 : 0))
                .slot(chunk.slotNumber())
                .deadlineNs(chunk.deadlineNs());
    }

    private static Input input(Items.Form form) {
        return switch (form) {
            case ENCODED -> Input.ITEMS;
            case INT_RANGE -> Input.INT_RANGE;
            case LONG_RANGE -> Input.LONG_RANGE;
        };
    }
}
