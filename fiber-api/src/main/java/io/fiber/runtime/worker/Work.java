// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.worker;

import io.fiber.runtime.wire.Parcel;
import io.fiber.runtime.wire.codec.Input;

/** What a conductor hands to a task thread. */
sealed interface Work {

    /** The initializer of a pool's worker, or the program of a process. */
    record First(SentFunction function) implements Work {}

    /** A chunk. */
    final class Items implements Work {
        final SentFunction function;
        final Parcel parcel;
        final Input input;
        final long chunk;
        final int attempt;
        final long firstValue;
        final int passOver;
        final int count;
        final boolean announced;
        volatile boolean cancelled;

        Items(SentFunction function, Parcel parcel, io.fiber.runtime.wire.codec.AssignDecoder assign) {
            this.function = function;
            this.parcel = parcel;
            this.input = assign.input();
            this.chunk = assign.chunk();
            this.attempt = assign.attempt();
            this.firstValue = assign.firstValue();
            this.passOver = assign.firstItem();
            this.count = assign.count();
            this.announced = assign.announce() != 0;
        }
    }
}
