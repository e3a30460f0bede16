// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.worker;

import io.fiber.runtime.protocol.Encoders;
import io.fiber.runtime.protocol.Outgoing;
import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.runtime.protocol.codec.MessageHeaderEncoder;
import io.fiber.runtime.protocol.codec.ResultEncoder;
import java.util.List;
import org.agrona.MutableDirectBuffer;

/** A report from a task thread to its conductor. */
sealed interface Report {

    /**
     * The next results of a chunk, or a single failure whose item may be tried again.
     *
     * @param isLast whether these are the last results of the chunk
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
            implements Report, Outgoing {

        /** Returns this failure as one after which the item may be tried again. */
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

    /** An announced item is about to run. The task thread waits until the master has granted it. */
    record Begun(long chunk, int attempt, int item) implements Report {}

    /** The rest of a cancelled chunk was dropped. */
    record Dropped(long chunk, int attempt) implements Report {}

    /**
     * A chunk has ended without saying so in its last message: it was cancelled or recalled meanwhile, or its tasks
     * left actions to run after their results were sent.
     *
     * @param afterwards actions for the conductor, before the worker may end
     */
    record Ended(long chunk, List<Runnable> afterwards) implements Report {}

    /**
     * The tasks of a chunk that continues left actions to run after their results were sent.
     *
     * @param afterwards what the conductor is to do
     */
    record Completed(List<Runnable> afterwards) implements Report {}

    /** The initializer or program has ended. */
    record FirstDone() implements Report {}

    /** The initializer or program has failed; the payload is the encoded failure. */
    record FirstFailed(SealedPayload failure) implements Report {}
}
