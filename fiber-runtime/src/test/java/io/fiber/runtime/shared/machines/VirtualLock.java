// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared.machines;

import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.runtime.rpc.Hosted;
import io.fiber.runtime.rpc.Request;

/** What a lock's proxies and its host say to each other, for a simulation whose callers are no threads. */
public final class VirtualLock {

    private VirtualLock() {}

    /** Returns a free lock. */
    public static Hosted host() {
        return LockMachine.plain();
    }

    /** Returns what a thread asks. */
    public static Request request(Operation operation, int thread) {
        return new SyncRequest(operation, thread, 0, SealedPayload.none()).encode();
    }

    /** Tells whether a request asks for this. */
    public static boolean isFor(Operation operation, Request request) {
        return request.operation() == operation.code();
    }

    /** Returns which thread asks. */
    public static long thread(Request request) {
        return SyncRequest.decode(request).thread();
    }

    /** Returns what the lock has answered. */
    public static SyncReply reply(long answer) {
        return SyncReply.of(answer, SealedPayload.none());
    }
}
