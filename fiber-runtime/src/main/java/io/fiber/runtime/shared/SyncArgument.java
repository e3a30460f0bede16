// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import io.fiber.runtime.protocol.SealedPayload;

/**
 * What synchronizers say fits the number in a message's header: a request is the caller's thread and a number of 32 bits
 * each, a reply is a number and, in the last 8 bits, an outcome.
 */
final class SyncArgument {

    private static final int NUMBER_BITS = 32;
    private static final int OUTCOME_BITS = 8;
    private static final Outcome[] OUTCOMES = Outcome.values();

    private SyncArgument() {}

    static long ofRequest(long thread, long number) {
        return thread << NUMBER_BITS | (number & 0xFFFF_FFFFL);
    }

    static long thread(long argument) {
        return argument >>> NUMBER_BITS;
    }

    static long number(long argument) {
        return argument & 0xFFFF_FFFFL;
    }

    static long ofReply(SyncReply reply) {
        return reply.number() << OUTCOME_BITS | reply.outcome().code();
    }

    static SyncReply reply(long argument, SealedPayload item) {
        int outcome = (int) argument & (1 << OUTCOME_BITS) - 1;
        return new SyncReply(
                outcome < OUTCOMES.length ? OUTCOMES[outcome] : Outcome.UNKNOWN_OPERATION,
                argument >> OUTCOME_BITS,
                item);
    }
}
