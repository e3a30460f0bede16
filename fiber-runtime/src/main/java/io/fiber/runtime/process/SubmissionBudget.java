// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.process;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;

/**
 * How many bytes of arguments a session holds at a time, from when they are serialized until their tasks are answered. The
 * thread that submits waits for room; the conductor gives room back and never waits. Thread-safe.
 *
 * <p>It counts in units, and nothing counts less than one: that is about what the call around a small argument takes.
 */
public final class SubmissionBudget {

    private static final int UNIT_BYTES = 1024;
    /** What is left is for the objects themselves, for results, and for the program. */
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

    /** Returns how many units so many bytes are; more than there are count as all of them, so that they pass alone. */
    public int units(long bytes) {
        return (int) Math.min(limitUnits, bytes / UNIT_BYTES + 1);
    }

    /**
     * Takes units in the order in which threads ask for them; waits until there are so many.
     *
     * @throws InterruptedException when the thread is interrupted meanwhile; nothing is taken then
     */
    public void take(int units) throws InterruptedException {
        room.acquire(units);
    }

    /** Takes units if there are so many now. */
    public boolean tryTake(int units) {
        return room.tryAcquire(units);
    }

    /** Tells whether {@link #tryTake} would take so many. */
    public boolean hasRoom(int units) {
        return room.availablePermits() >= units;
    }

    /** Gives units back. Never waits. */
    public void giveBack(int units) {
        if (units > 0) {
            room.release(units);
            if (!watchers.isEmpty()) {
                watchers.forEach(Runnable::run);
            }
        }
    }

    /** Has an action run whenever units are given back, by the thread that does so. */
    public void watch(Runnable action) {
        watchers.add(action);
    }

    /** Ends {@link #watch}. */
    public void unwatch(Runnable action) {
        watchers.remove(action);
    }
}
