// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared.machines;

import io.fiber.runtime.protocol.SealedPayload;

/**
 * The answer of a machine. The header of its message has one number: the outcome in the lowest 8 bits, the operation's
 * number in the others.
 *
 * @param outcome the outcome of the call
 * @param number the result of the operation: an epoch, an index, a count; 0 if it has none
 * @param item an item of a queue; empty if there is none
 */
public record SyncReply(Outcome outcome, long number, SealedPayload item) {

    private static final int OUTCOME_BITS = 8;
    private static final Outcome[] OUTCOMES = Outcome.values();

    /** Returns whether it has an item of a queue. */
    public boolean hasItem() {
        return outcome == Outcome.DONE || outcome == Outcome.DONE_WITH_MORE;
    }

    @SuppressWarnings("EnumOrdinal") // the position is the code
    static long argument(Outcome outcome, long number) {
        return number << OUTCOME_BITS | outcome.ordinal();
    }

    public static SyncReply of(long argument, SealedPayload item) {
        int code = (int) argument & (1 << OUTCOME_BITS) - 1;
        Outcome outcome = code < OUTCOMES.length ? OUTCOMES[code] : Outcome.UNKNOWN_OPERATION;
        return new SyncReply(outcome, argument >> OUTCOME_BITS, item);
    }
}
