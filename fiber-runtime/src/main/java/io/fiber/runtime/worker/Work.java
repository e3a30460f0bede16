// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.worker;

import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.runtime.protocol.codec.Input;
import java.util.concurrent.atomic.AtomicLong;

/** Work for a task thread, from its conductor. */
sealed interface Work {

    /** The initializer of a pool's worker. */
    record Initializer(SentFunction function) implements Work {}

    /** The program of a process, which ends when the program has returned and its threads have ended. */
    record Program(SentFunction function) implements Work {}

    /** A chunk. */
    final class Chunk implements Work {
        private static final int NOTHING = -2;

        final SentFunction function;
        final SealedPayload payload;
        final Input input;
        final long id;
        final int attempt;
        final long firstValue;
        final int passOver;
        final boolean announced;
        final long deadlineNs;
        final int slot;
        /** How many items the chunk still has, and how many have started: the two halves of one number. */
        private final AtomicLong claims;

        volatile boolean cancelled;
        /**
         * The last item that the master has allowed to start, or {@link io.fiber.runtime.protocol.Messages#FUNCTION}.
         */
        volatile int grantedItem = NOTHING;

        Chunk(SentFunction function, SealedPayload payload, io.fiber.runtime.protocol.codec.AssignDecoder assign) {
            this.function = function;
            this.payload = payload;
            this.input = assign.input();
            this.id = assign.chunk();
            this.attempt = assign.attempt();
            this.firstValue = assign.firstValue();
            this.passOver = assign.firstItem();
            this.announced = assign.announce() != 0;
            this.deadlineNs = assign.deadlineNs();
            this.slot = assign.slot();
            this.claims = new AtomicLong((long) assign.count() << Integer.SIZE);
        }

        /** Starts the next item; returns false if none is left. Called by the task thread. */
        boolean claim() {
            long now = claims.get();
            while ((int) now < (int) (now >> Integer.SIZE)) {
                if (claims.compareAndSet(now, now + 1)) {
                    return true;
                }
                now = claims.get();
            }
            return false;
        }

        /** Removes the items that have not started, and returns how many are left. Called by the conductor. */
        int recall() {
            return (int) claims.updateAndGet(now -> (now << Integer.SIZE) | (int) now);
        }

        /** Returns the number of items. */
        int limit() {
            return (int) (claims.get() >> Integer.SIZE);
        }
    }
}
