// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared.machines;

import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.runtime.rpc.Hosted;
import io.fiber.runtime.rpc.Request;

/** What a queue's handles and its host say to each other, for a simulation whose callers are no threads. */
public final class VirtualQueue {

    /** What a request is for. */
    public enum Kind {
        /** It adds an item. */
        PUT,
        /** It takes one. */
        TAKE,
        /** It is something else. */
        OTHER
    }

    private VirtualQueue() {}

    /** Returns a queue. */
    public static Hosted host(int capacity) {
        return new QueueMachine(capacity, Long.MAX_VALUE);
    }

    /** Returns what adds an item. */
    public static Request put(SealedPayload item) {
        return request(Operation.PUT, 0, item);
    }

    /** Returns what takes an item that will be acknowledged. */
    public static Request take() {
        return request(Operation.TAKE, QueueMachine.Delivery.AT_LEAST_ONCE.number(), SealedPayload.none());
    }

    /** Returns what tells that a delivery was received. */
    public static Request acknowledge(long delivery) {
        return SyncRequest.encodeTold(Operation.RECEIVED, delivery);
    }

    /** Returns what closes the queue. */
    public static Request close() {
        return request(Operation.CLOSE, 0, SealedPayload.none());
    }

    /** Returns what a request is for. */
    public static Kind kind(Request request) {
        if (request.operation() == Operation.PUT.code()) {
            return Kind.PUT;
        }
        return request.operation() == Operation.TAKE.code() ? Kind.TAKE : Kind.OTHER;
    }

    /** Tells whether this is the answer to a put that the queue holds. */
    public static boolean isHeld(long answer) {
        return outcome(answer) == Outcome.DONE;
    }

    /** Tells whether this is the answer to a take where nothing is left. */
    public static boolean isDrained(long answer) {
        return outcome(answer) == Outcome.CLOSED;
    }

    /** Returns the number of a delivery, from the answer to a take. */
    public static long delivery(long answer) {
        return SyncReply.of(answer, SealedPayload.none()).number();
    }

    private static Request request(Operation operation, long number, SealedPayload item) {
        return new SyncRequest(operation, 0, number, item).encode();
    }

    private static Outcome outcome(long answer) {
        return SyncReply.of(answer, SealedPayload.none()).outcome();
    }
}
