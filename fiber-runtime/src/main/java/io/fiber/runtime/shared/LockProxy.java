// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import io.fiber.ManagedCondition;
import io.fiber.ManagedLock;
import io.fiber.WaitInterruptedException;
import io.fiber.runtime.shared.host.Kind;
import io.fiber.runtime.shared.machines.Operation;
import io.fiber.runtime.shared.machines.Outcome;
import io.fiber.runtime.shared.machines.SyncReply;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A managed lock as a program holds it. Thread-safe. */
final class LockProxy extends SyncProxy implements ManagedLock {
    private static final long serialVersionUID = 1L;

    LockProxy(RemoteObject remote, Kind kind) {
        super(remote, ObjectHandle.of(kind, remote), "lock");
    }

    @Override
    public void lock() {
        requireGranted(call(Operation.LOCK, 0));
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        try {
            lock();
        } catch (WaitInterruptedException e) {
            throw interruption(e);
        }
    }

    @Override
    public boolean tryLock() {
        SyncReply reply = now(Operation.TRY_LOCK, 0);
        return reply.outcome() != Outcome.WOULD_WAIT && requireGranted(reply);
    }

    @Override
    public boolean tryLock(Duration timeout) {
        if (timeout.isNegative() || timeout.isZero()) {
            return tryLock();
        }
        return call(Operation.LOCK, 0, timeout).filter(this::requireGranted).isPresent();
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        try {
            return tryLock(Duration.ofNanos(unit.toNanos(time)));
        } catch (WaitInterruptedException e) {
            throw interruption(e);
        }
    }

    private boolean requireGranted(SyncReply reply) {
        if (reply.outcome() == Outcome.ALREADY_HELD) {
            throw new IllegalMonitorStateException("FBR-430 This thread already holds " + this
                    + " and would wait for itself. Manager.reentrantLock() creates a lock that its holder can lock"
                    + " again.");
        }
        return true;
    }

    @Override
    public void unlock() {
        onHeld(Operation.UNLOCK);
    }

    @Override
    public long epoch() {
        return onHeld(Operation.EPOCH);
    }

    @Override
    public boolean wasAbandoned() {
        return onHeld(Operation.WAS_ABANDONED) == 1;
    }

    private long onHeld(Operation operation) {
        return requireHeld(now(operation, 0), this).number();
    }

    /** Returns the exception that the JDK's interfaces declare; the thread's flag is cleared, as they ask. */
    static InterruptedException interruption(WaitInterruptedException interruption) {
        Thread.interrupted();
        InterruptedException checked = new InterruptedException(interruption.getMessage());
        checked.initCause(interruption);
        return checked;
    }

    /**
     * Returns the reply to a call that only the holder of a lock may make.
     *
     * @throws IllegalMonitorStateException FBR-431 when the caller does not hold the lock
     */
    static SyncReply requireHeld(SyncReply reply, Object what) {
        if (reply.outcome() == Outcome.NOT_HELD) {
            throw new IllegalMonitorStateException("FBR-431 Thread '"
                    + Thread.currentThread().getName() + "' of this process does not hold " + what
                    + ", whose last grant is "
                    + reply.number() + ": it never held it, has released it, or its grant has ended. Stop the work"
                    + " that the lock guards.");
        }
        return reply;
    }

    @Override
    public int holdCount() {
        return (int) now(Operation.HOLDS, 0).number();
    }

    @Override
    public boolean isLocked() {
        return now(Operation.IS_LOCKED, 0).number() == 1;
    }

    @Override
    public ManagedCondition newCondition() {
        return new ConditionProxy(remote(), now(Operation.NEW_CONDITION, 0).number());
    }
}
