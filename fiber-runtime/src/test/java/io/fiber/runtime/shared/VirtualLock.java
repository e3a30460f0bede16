// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.runtime.rpc.Hosted;
import io.fiber.runtime.rpc.Request;

/** What a lock's proxies and its host say to each other, for a simulation whose callers are no threads. */
public final class VirtualLock {

    private VirtualLock() {}

    /** Returns a free lock. */
    public static Hosted host() {
        return new LockMachine(Kind.LOCK);
    }

    /** Returns what a thread asks. */
    public static Request request(Operation operation, int thread) {
        return Request.of(operation.code(), SyncCall.argument(thread, 0));
    }

    /** Tells whether a request asks for this. */
    public static boolean isFor(Operation operation, Request request) {
        return request.operation() == operation.code();
    }

    /** Returns which thread asks. */
    public static long thread(Request request) {
        return SyncCall.thread(request.argument());
    }

    /** Returns what the lock has answered. */
    public static SyncReply reply(long answer) {
        return SyncReply.of(answer, SealedPayload.none());
    }
}
