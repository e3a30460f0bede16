// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import io.fiber.runtime.protocol.ProcessPath;
import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.runtime.rpc.Request;
import io.fiber.runtime.rpc.ServiceCall;
import org.jspecify.annotations.Nullable;

/**
 * What a thread asks of a machine; it is answered at most once. The number in its message's header is the thread and a
 * number of 32 bits each; what is only told has all of it for the number, as no thread is answered.
 */
final class SyncCall {

    private static final int NUMBER_BITS = 32;
    private static final Operation[] OPERATIONS = Operation.values();

    private final LockHolder party;
    private final Operation operation;
    private final long number;
    private final SealedPayload item;
    /** Null when no answer is asked for. */
    private final @Nullable ServiceCall call;

    private boolean answered;

    private SyncCall(LockHolder party, Request request, long number, @Nullable ServiceCall call) {
        this.party = party;
        this.operation = OPERATIONS[request.operation()];
        this.number = number;
        this.item = request.body();
        this.call = call;
    }

    static SyncCall of(ServiceCall call) {
        long argument = call.request().argument();
        LockHolder party = new LockHolder(call.caller(), thread(argument));
        return new SyncCall(party, call.request(), argument & 0xFFFF_FFFFL, call);
    }

    static SyncCall told(ProcessPath from, Request request) {
        return new SyncCall(new LockHolder(from, 0), request, request.argument(), null);
    }

    static long argument(long thread, long number) {
        return thread << NUMBER_BITS | (number & 0xFFFF_FFFFL);
    }

    static long thread(long argument) {
        return argument >>> NUMBER_BITS;
    }

    /** Returns who asks. */
    LockHolder party() {
        return party;
    }

    Operation operation() {
        return operation;
    }

    /** Returns an argument of the operation: permits, a condition, a serial number; 0 when it takes none. */
    long number() {
        return number;
    }

    /** Returns an item of a queue; empty when there is none. */
    SealedPayload item() {
        return item;
    }

    /** Tells whether an answer is still to come. */
    boolean isOpen() {
        return call != null && !answered;
    }

    void reply(Outcome outcome) {
        reply(outcome, 0);
    }

    void reply(Outcome outcome, long result) {
        reply(outcome, result, SealedPayload.none());
    }

    /** Answers, if that is asked for. */
    void reply(Outcome outcome, long result, SealedPayload taken) {
        answered = true;
        if (call != null) {
            call.answer(SyncReply.argument(outcome, result), taken);
        }
    }
}
