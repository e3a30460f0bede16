// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool.scheduling;

import io.fiber.FiberException;
import io.fiber.PoolBrokenException;
import io.fiber.PoolClosedException;
import io.fiber.WorkerLostException;
import io.fiber.runtime.protocol.SealedPayload;
import java.util.List;
import java.util.Optional;

/** What became of items of a call, or its end. Results stay serialized here. */
public sealed interface Answer {

    /**
     * Results of consecutive items.
     *
     * @param worker what errors call the worker that ran them, when some of them are failures
     */
    record Block(long firstIndex, int count, SealedPayload results, Optional<String> worker) implements Answer {
        /** Creates a block of which no result is a failure. */
        public Block(long firstIndex, int count, SealedPayload results) {
            this(firstIndex, count, results, Optional.empty());
        }
    }

    /** An item that has no result. */
    sealed interface Refused extends Answer {
        long index();
    }

    /**
     * An item that was given up, because its workers died.
     *
     * @param attempts how many workers it had begun at, or was sent to, as the loss says
     */
    record Lost(long index, int attempts, Loss loss) implements Refused {}

    /** An item that ran longer than it may, took no notice of an interrupt, and was ended with its worker. */
    record Overdue(long index, String worker) implements Refused {}

    /**
     * An item that has failed in each of its tries.
     *
     * @param last how the last one ended: {@link Lost}, {@link Overdue} or a block of this item alone
     * @param earlier what the ones before it threw
     */
    record Tried(long index, Answer last, List<Block> earlier) implements Refused {}

    /** No more events follow: every item has been answered. */
    record End(long items) implements Answer {}

    /** No more events follow: the rest will never be answered. */
    record Broken(FiberException cause) implements Answer {
        /** Returns what the caller is thrown. What the conductor made gets the lines of the caller's thread. */
        public RuntimeException thrown() {
            if (cause instanceof PoolTerminatedException terminated) {
                return terminated.asCancellation();
            }
            if (cause instanceof PoolBrokenException
                    || cause instanceof PoolClosedException
                    || cause instanceof WorkerLostException
                    || cause.code().equals("FBR-404")) {
                Throwable unused = cause.fillInStackTrace();
            }
            return cause;
        }
    }
}
