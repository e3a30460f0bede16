// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

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
        return new QueueHost(capacity);
    }

    /** Returns what adds an item. */
    public static Request put(SealedPayload item) {
        return Request.of(QueueProtocol.PUT, item);
    }

    /** Returns what takes an item that will be acknowledged. */
    public static Request take() {
        return Request.of(QueueProtocol.TAKE, QueueProtocol.WILL_ACKNOWLEDGE);
    }

    /** Returns what tells that a delivery was received. */
    public static Request acknowledge(long delivery) {
        return Request.of(QueueProtocol.ACKNOWLEDGE, delivery);
    }

    /** Returns what closes the queue. */
    public static Request close() {
        return Request.of(QueueProtocol.CLOSE, 0);
    }

    /** Returns what a request is for. */
    public static Kind kind(Request request) {
        return switch (request.operation()) {
            case QueueProtocol.PUT -> Kind.PUT;
            case QueueProtocol.TAKE -> Kind.TAKE;
            default -> Kind.OTHER;
        };
    }

    /** Tells whether this is the answer to a put that the queue holds. */
    public static boolean isHeld(long answer) {
        return answer == QueueProtocol.HELD;
    }

    /** Tells whether this is the answer to a take where nothing is left. */
    public static boolean isDrained(long answer) {
        return answer == QueueProtocol.DRAINED;
    }
}
