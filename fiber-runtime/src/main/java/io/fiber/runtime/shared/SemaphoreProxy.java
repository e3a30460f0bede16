// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import io.fiber.ManagedSemaphore;
import io.fiber.runtime.shared.host.Kind;
import io.fiber.runtime.shared.machines.Operation;
import io.fiber.runtime.shared.machines.Outcome;
import io.fiber.runtime.shared.machines.SyncReply;
import java.time.Duration;

/** A managed semaphore as a program holds it. Thread-safe. */
final class SemaphoreProxy extends SyncProxy implements ManagedSemaphore {
    private static final long serialVersionUID = 1L;

    SemaphoreProxy(RemoteObject remote) {
        super(remote, ObjectHandle.of(Kind.SEMAPHORE, remote), "permits of semaphore");
    }

    @Override
    public void acquire(int permits) {
        requirePossible(call(Operation.ACQUIRE, ObjectsClient.atLeast(1, permits, "permits")), permits);
    }

    @Override
    public boolean tryAcquire(int permits, Duration timeout) {
        ObjectsClient.atLeast(1, permits, "permits");
        if (timeout.isNegative() || timeout.isZero()) {
            SyncReply reply = requirePossible(now(Operation.TRY_ACQUIRE, permits), permits);
            return reply.outcome() == Outcome.DONE;
        }
        return call(Operation.ACQUIRE, permits, timeout)
                .map(reply -> requirePossible(reply, permits))
                .isPresent();
    }

    private SyncReply requirePossible(SyncReply reply, int permits) {
        if (reply.outcome() == Outcome.TOO_MANY) {
            throw new IllegalArgumentException(
                    "FBR-305 permits is " + permits + ", but " + this + " never has more than " + reply.number() + ".");
        }
        return reply;
    }

    @Override
    public void release(int permits) {
        SyncReply reply = now(Operation.RELEASE, ObjectsClient.atLeast(1, permits, "permits"));
        if (reply.outcome() == Outcome.TOO_MANY) {
            throw new IllegalStateException("FBR-432 " + this + " has a bound of " + reply.number()
                    + " permits and would exceed it by releasing " + permits
                    + ". Release once for each acquire.");
        }
    }

    @Override
    public int availablePermits() {
        return (int) Math.min(now(Operation.AVAILABLE, 0).number(), Integer.MAX_VALUE);
    }
}
