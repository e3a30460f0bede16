// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared.machines;

import io.fiber.runtime.protocol.ProcessPath;
import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.runtime.rpc.Request;
import io.fiber.runtime.rpc.ServiceCall;
import org.jspecify.annotations.Nullable;

/** A request as its machine holds it until it is answered, at most once. */
final class SyncCall {

    private final Party party;
    private final SyncRequest request;
    /** Null if no answer is asked for. */
    private final @Nullable ServiceCall call;

    private boolean answered;

    private SyncCall(ProcessPath caller, SyncRequest request, @Nullable ServiceCall call) {
        this.party = new Party(caller, request.thread());
        this.request = request;
        this.call = call;
    }

    static SyncCall of(ServiceCall call) {
        return new SyncCall(call.caller(), SyncRequest.decode(call.request()), call);
    }

    static SyncCall told(ProcessPath from, Request request) {
        return new SyncCall(from, SyncRequest.decodeTold(request), null);
    }

    /** Returns who asks. */
    Party party() {
        return party;
    }

    Operation operation() {
        return request.operation();
    }

    long number() {
        return request.number();
    }

    SealedPayload item() {
        return request.item();
    }

    /** Returns whether an answer is still to come. */
    boolean isOpen() {
        return call != null && !answered;
    }

    void reply(Outcome outcome) {
        reply(outcome, 0);
    }

    void reply(Outcome outcome, long result) {
        reply(outcome, result, SealedPayload.none());
    }

    /** Answers if an answer is asked for. */
    void reply(Outcome outcome, long result, SealedPayload taken) {
        answered = true;
        if (call != null) {
            call.answer(SyncReply.argument(outcome, result), taken);
        }
    }
}
