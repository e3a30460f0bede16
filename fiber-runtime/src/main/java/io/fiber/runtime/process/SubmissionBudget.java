// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.process;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;

/**
 * Limits the bytes of arguments that a session holds at a time, from their serialization until their tasks are
 * answered. The submitting thread waits for room; the conductor returns room and never waits. Thread-safe.
 *
 * <p>It counts in units, and nothing counts less than one: that is about what the call around a small argument takes.
 */
public final class SubmissionBudget {

    private static final int UNIT_BYTES = 1024;
    /** The rest of the heap is for the objects themselves, for results, and for the program. */
    private static final int SHARE_OF_HEAP = 4;

    private final int limitUnits;
    private final Semaphore room;
    private final Set<Runnable> watchers = ConcurrentHashMap.newKeySet();

    public SubmissionBudget(long limitBytes) {
        limitUnits = (int) Math.max(1, Math.min(Integer.MAX_VALUE, limitBytes / UNIT_BYTES));
        room = new Semaphore(limitUnits, true);
    }

    /** Creates the budget of a session in this JVM. */
    public static SubmissionBudget ofHeap() {
        return new SubmissionBudget(Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP);
    }

    /**
     * Returns the number of units for this number of bytes. More bytes than the budget count as the whole budget, so
     * that they pass alone.
     */
    public int units(long bytes) {
        return (int) Math.min(limitUnits, bytes / UNIT_BYTES + 1);
    }

    /**
     * Takes units, first come, first served; waits until enough are free.
     *
     * @throws InterruptedException if the thread is interrupted meanwhile; nothing is taken then
     */
    public void take(int units) throws InterruptedException {
        room.acquire(units);
    }

    /** Takes units if enough are free now. */
    public boolean tryTake(int units) {
        return room.tryAcquire(units);
    }

    /** Returns whether {@link #tryTake} would succeed. */
    public boolean hasRoom(int units) {
        return room.availablePermits() >= units;
    }

    /** Returns units to the budget. Never waits. */
    public void giveBack(int units) {
        if (units > 0) {
            room.release(units);
            if (!watchers.isEmpty()) {
                watchers.forEach(Runnable::run);
            }
        }
    }

    /** Runs an action whenever units are returned, in the thread that returns them. */
    public void watch(Runnable action) {
        watchers.add(action);
    }

    /** Ends {@link #watch}. */
    public void unwatch(Runnable action) {
        watchers.remove(action);
    }
}
