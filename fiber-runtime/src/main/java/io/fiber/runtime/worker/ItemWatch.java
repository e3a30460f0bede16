// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.worker;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/**
 * Looks after the item that runs: it is interrupted when its call was cancelled or its deadline has passed, and an item that
 * takes no notice of that is reported. The task thread tells what it does, the conductor looks; all methods are safe for
 * both.
 */
final class ItemWatch {

    private Work.@Nullable Items current;
    /** The task thread, once it has had a chunk. */
    private @Nullable Thread thread;

    private long begunNs;
    private boolean running;
    private boolean overdue;
    private boolean interrupted;
    private boolean told;
    private long interruptedNs;
    /** Whether there is something to look at: spares the lock where there is not. */
    private volatile boolean needed;

    /** The calling thread turns to a chunk. */
    synchronized void enter(Work.Items chunk) {
        thread = Thread.currentThread();
        current = chunk;
        interrupted = false;
        told = false;
        needed = chunk.deadlineNs > 0;
    }

    /** The thread leaves its chunk; an interrupt that was meant for it is gone. */
    synchronized void leave() {
        current = null;
        needed = false;
        Thread.interrupted();
    }

    /** An item of a chunk with a deadline begins. */
    synchronized void begins(long nowNs) {
        begunNs = nowNs;
        running = true;
        overdue = false;
    }

    /** The item has ended; tells whether it took longer than it may. An interrupt that was meant for it is gone. */
    synchronized boolean endsOverdue(long nowNs) {
        Work.Items chunk = current;
        running = false;
        interrupted = false;
        Thread.interrupted();
        return overdue || (chunk != null && nowNs - begunNs > chunk.deadlineNs);
    }

    /** Interrupts the item that runs, if it is one of this chunk. */
    synchronized void interrupt(Work.Items chunk, long nowNs) {
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

    /** Looks as {@link TaskExecutor#stuck} says. */
    Work.@Nullable Items look(long nowNs, long graceNs) {
        return needed ? lookClosely(nowNs, graceNs) : null;
    }

    private synchronized Work.@Nullable Items lookClosely(long nowNs, long graceNs) {
        Work.Items chunk = current;
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
