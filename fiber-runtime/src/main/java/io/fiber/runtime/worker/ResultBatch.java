// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.worker;

import io.fiber.runtime.protocol.Encoders;
import io.fiber.runtime.protocol.Outgoing;
import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.runtime.protocol.codec.MessageHeaderEncoder;
import io.fiber.runtime.protocol.codec.ResultEncoder;
import java.util.List;
import org.agrona.MutableDirectBuffer;

/** What a task thread hands to its conductor. */
sealed interface ResultBatch {

    /**
     * The next results of a chunk; one failure alone when its item may be tried again.
     *
     * @param isLast whether nothing more follows of the chunk
     */
    record Results(
            long chunk,
            int attempt,
            int firstItem,
            int count,
            int failed,
            boolean mayBeRetried,
            long busyNs,
            SealedPayload payload,
            boolean isLast)
            implements ResultBatch, Outgoing {

        /** Returns these, being one failure after which the item may be tried again. */
        Results forRetry() {
            return new Results(chunk, attempt, firstItem, count, failed, true, busyNs, payload, isLast);
        }

        @Override
        public int headerLength() {
            return MessageHeaderEncoder.ENCODED_LENGTH + ResultEncoder.BLOCK_LENGTH;
        }

        @Override
        public void encode(MutableDirectBuffer buffer, int offset, Encoders codecs) {
            codecs.result
                    .wrapAndApplyHeader(buffer, offset, codecs.header)
                    .chunk(chunk)
                    .busyNs(busyNs)
                    .attempt(attempt)
                    .firstItem(firstItem)
                    .count(count)
                    .failed(failed)
                    .mayBeRetried((short) (mayBeRetried ? 1 : 0));
        }
    }

    /** An announced item is about to run; the task thread waits until it was granted. */
    record Begun(long chunk, int attempt, int item) implements ResultBatch {}

    /** The rest of a cancelled chunk was given up. */
    record Dropped(long chunk, int attempt) implements ResultBatch {}

    /**
     * Nothing of a chunk is left, and its last message did not say so: it was cancelled or recalled meanwhile, or its tasks
     * have left something to be done once their results have left.
     *
     * @param afterwards what the conductor is to do, before the worker may end
     */
    record Ended(long chunk, List<Runnable> afterwards) implements ResultBatch {}

    /**
     * The tasks of a chunk that goes on have left something to be done once their results have left.
     *
     * @param afterwards what the conductor is to do
     */
    record Completed(List<Runnable> afterwards) implements ResultBatch {}

    /** What was run first has ended. */
    record FirstDone() implements ResultBatch {}

    /** What was run first has failed; the payload is the encoded failure. */
    record FirstFailed(SealedPayload failure) implements ResultBatch {}
}
