// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared.machines;

import io.fiber.runtime.protocol.ProcessPath;
import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.runtime.rpc.Request;
import io.fiber.runtime.rpc.ServiceCall;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/** A call of a machine by a thread of some process. */
public final class AskedCall implements ServiceCall {

    private final Party party;
    private final Operation operation;
    private final Request request;
    private final BiConsumer<AskedCall, SyncReply> listener;
    private final List<Runnable> whenAbandoned = new ArrayList<>();
    private boolean answered;

    /**
     * Creates a call.
     *
     * @param listener is told of its answer
     */
    public AskedCall(
            Party party,
            Operation operation,
            long number,
            SealedPayload item,
            BiConsumer<AskedCall, SyncReply> listener) {
        this.party = party;
        this.operation = operation;
        this.request = new SyncRequest(operation, party.thread(), number, item).encode();
        this.listener = listener;
    }

    Party party() {
        return party;
    }

    @Override
    public ProcessPath caller() {
        return party.process();
    }

    @Override
    public Request request() {
        return request;
    }

    boolean isAnswered() {
        return answered;
    }

    @Override
    public void answer(long argument, SealedPayload result) {
        if (answered) {
            throw new AssertionError(this + " has already been answered.");
        }
        answered = true;
        listener.accept(this, SyncReply.of(argument, result));
    }

    @Override
    public void fail(SealedPayload encodedFailure) {
        throw new AssertionError("A machine fails no calls.");
    }

    @Override
    public void onAbandoned(Runnable then) {
        whenAbandoned.add(then);
    }

    /** Its thread waits no longer, or its process has ended: that changes nothing once it was answered. */
    void giveUp() {
        if (!answered) {
            whenAbandoned.forEach(Runnable::run);
        }
    }

    @Override
    public String toString() {
        return operation + " of " + party;
    }
}
