// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import io.fiber.ManagedCondition;
import io.fiber.WaitInterruptedException;
import io.fiber.runtime.shared.host.Kind;
import io.fiber.runtime.shared.machines.Operation;
import io.fiber.runtime.shared.machines.Outcome;
import io.fiber.runtime.shared.machines.SyncReply;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A condition of a managed lock as a program holds it. Thread-safe. */
@SuppressWarnings("WaitNotInLoop") // there are no wake-ups without a signal, and the caller loops
final class ConditionProxy extends SyncProxy implements ManagedCondition {
    private static final long serialVersionUID = 1L;

    private static final Duration FOREVER = Duration.ofNanos(Long.MAX_VALUE);

    private final long number;

    ConditionProxy(RemoteObject remote, long number) {
        super(
                remote,
                new ObjectHandle(Kind.CONDITION, remote.address(), number, null),
                "a signal of condition " + number + " of lock");
        this.number = number;
    }

    /** {@inheritDoc} Whatever ends the wait, the thread does not return without the lock. */
    @Override
    public boolean await(Duration timeout) {
        Optional<SyncReply> reply;
        try {
            reply = call(Operation.AWAIT, number, timeout);
        } catch (WaitInterruptedException e) {
            // An interrupt that was there before the request has left the lock alone.
            if (relock().outcome() == Outcome.DONE) {
                Thread.currentThread().interrupt();
                return true;
            }
            throw e;
        }
        return LockProxy.requireHeld(reply.orElseGet(this::relock), this).outcome() == Outcome.DONE;
    }

    private SyncReply relock() {
        return now(Operation.RELOCK, number);
    }

    @Override
    public void await() throws InterruptedException {
        awaitOrThrow(FOREVER);
    }

    @Override
    public void awaitUninterruptibly() {
        LockProxy.requireHeld(now(Operation.AWAIT, number), this);
    }

    @Override
    public long awaitNanos(long timeoutNs) throws InterruptedException {
        long deadlineNs = System.nanoTime() + timeoutNs;
        awaitOrThrow(Duration.ofNanos(timeoutNs));
        return deadlineNs - System.nanoTime();
    }

    @Override
    public boolean await(long time, TimeUnit unit) throws InterruptedException {
        return awaitOrThrow(Duration.ofNanos(unit.toNanos(time)));
    }

    @Override
    public boolean awaitUntil(Date deadline) throws InterruptedException {
        return awaitOrThrow(Duration.between(Instant.now(), deadline.toInstant()));
    }

    private boolean awaitOrThrow(Duration timeout) throws InterruptedException {
        try {
            return await(timeout);
        } catch (WaitInterruptedException e) {
            throw LockProxy.interruption(e);
        }
    }

    @Override
    public void signal() {
        LockProxy.requireHeld(now(Operation.SIGNAL, number), this);
    }

    @Override
    public void signalAll() {
        LockProxy.requireHeld(now(Operation.SIGNAL_ALL, number), this);
    }
}
