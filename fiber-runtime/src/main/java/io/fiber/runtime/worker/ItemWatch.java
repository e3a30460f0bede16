// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.worker;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/**
 * Watches the running item: interrupts it if its call was cancelled or its deadline has passed, and reports an item
 * that ignores the interrupt. The task thread reports what it does, and the conductor checks. Thread-safe for these
 * two.
 */
final class ItemWatch {

    private Work.@Nullable Chunk current;
    /** The task thread; null before its first chunk. */
    private @Nullable Thread thread;

    private long begunNs;
    private boolean running;
    private boolean overdue;
    private boolean interrupted;
    private boolean told;
    private long interruptedNs;
    /** Whether there is something to check. Otherwise the lock is not taken. */
    private volatile boolean needed;

    /** Called when the calling thread starts a chunk. */
    synchronized void enter(Work.Chunk chunk) {
        thread = Thread.currentThread();
        current = chunk;
        interrupted = false;
        told = false;
        needed = chunk.deadlineNs > 0;
    }

    /** Called when the thread leaves its chunk. Clears an interrupt that was meant for the chunk. */
    synchronized void leave() {
        current = null;
        needed = false;
        Thread.interrupted();
    }

    /** Called when an item of a chunk with a deadline starts. */
    synchronized void begins(long nowNs) {
        begunNs = nowNs;
        running = true;
        overdue = false;
    }

    /**
     * Called when the item has ended; returns whether it exceeded its deadline. Clears an interrupt that was meant for
     * it.
     */
    synchronized boolean endsOverdue(long nowNs) {
        Work.Chunk chunk = current;
        running = false;
        interrupted = false;
        Thread.interrupted();
        return overdue || (chunk != null && nowNs - begunNs > chunk.deadlineNs);
    }

    /**
     * Called when the thread has waited between two items. An interrupt that came meanwhile was meant for an item that has
     * ended.
     */
    synchronized void hasRested() {
        interrupted = false;
        Thread.interrupted();
    }

    /** Interrupts the running item if it belongs to this chunk. */
    synchronized void interrupt(Work.Chunk chunk, long nowNs) {
        if (current == chunk) {
            interrupt(nowNs);
            needed = true;
        }
    }

    private void interrupt(long nowNs) {
        interrupted = true;
        interruptedNs = nowNs;
        requireNonNull(thread, "thread").interrupt();
    }

    /** Checks the item as described at {@link TaskExecutor#stuck}. */
    Work.@Nullable Chunk look(long nowNs, long graceNs) {
        return needed ? lookClosely(nowNs, graceNs) : null;
    }

    private synchronized Work.@Nullable Chunk lookClosely(long nowNs, long graceNs) {
        Work.Chunk chunk = current;
        if (chunk == null) {
            return null;
        }
        if (running && !overdue && nowNs - begunNs > chunk.deadlineNs) {
            overdue = true;
            interrupt(nowNs);
        }
        if (interrupted && !told && nowNs - interruptedNs > graceNs) {
            told = true;
            return chunk;
        }
        return null;
    }
}
