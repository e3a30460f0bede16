// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared.host;

import io.fiber.runtime.eventloop.Conductor;
import io.fiber.runtime.eventloop.Duty;
import io.fiber.runtime.eventloop.Waiter;
import io.fiber.runtime.platform.SessionThreads;
import io.fiber.runtime.rpc.Hosted;
import io.fiber.runtime.rpc.ObjectAddress;
import io.fiber.runtime.rpc.ProcessContext;
import io.fiber.runtime.rpc.Request;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;

/**
 * What the objects of a manager's process share: its place among the processes, and the threads that run calls, as many as
 * there are busy objects. Thread-safe.
 *
 * <p>The process's own thread waits for requests, which it may read itself. Calls that have been short so far
 * it runs itself, which spares a change of threads; what waits behind one that is not short after all goes to the others.
 */
final class Host implements AutoCloseable, Duty {

    /** What the process's own thread takes on at one time; a change of threads costs as much. */
    private static final long SHORT_NS = 100_000;
    /** What has taken so long holds up nothing else. */
    private static final long STUCK_NS = 1_000_000;

    private final ProcessContext process;
    private final Conductor conductor;
    private final ExecutorService threads;
    private final ConcurrentLinkedQueue<Runnable> own = new ConcurrentLinkedQueue<>();
    /** Of the process's own thread while it waits for requests. */
    private volatile @Nullable Waiter waiter;

    private volatile boolean over;
    /** When the process's own thread began what it runs. */
    private volatile long begunNs;
    /** What that thread has to do. Belongs to the conductor. */
    private long ownNs;

    Host(ProcessContext process) {
        this(process, SessionThreads.blocking("fiber-object", process.router().conductor()::fail));
    }

    Host(ProcessContext process, ExecutorService threads) {
        this.process = process;
        this.conductor = process.router().conductor();
        this.threads = threads;
    }

    ProcessContext process() {
        return process;
    }

    ObjectAddress host(Hosted hosted) {
        return process.router().host(hosted);
    }

    /**
     * Runs a task of a thread that has another one to do as well. When no thread can be started for it, the process's
     * own one runs it; when the process ends, it is dropped, as callers are told.
     */
    void execute(Runnable task) {
        if (!SessionThreads.tryExecute(threads, task)) {
            own.add(task);
            endWait();
        }
    }

    /** Runs a task that is likely to take so long. Called by the conductor. */
    void execute(Runnable task, long expectedNs) {
        if (own.isEmpty()) {
            ownNs = 0;
        }
        if (waiter == null || expectedNs > SHORT_NS - ownNs) {
            execute(task);
            return;
        }
        ownNs += expectedNs;
        own.add(task);
        endWait();
    }

    private void endWait() {
        Waiter waiting = waiter;
        if (waiting != null) {
            waiting.end();
        }
    }

    /** Calls an object and serves others until it has answered. */
    void serveUntilAnswered(ObjectAddress to, Request request) throws InterruptedException {
        conductor.execute(() -> conductor.addDuty(this));
        process.router().call(to, request, reply -> {
            over = true;
            endWait();
        });
        while (!over) {
            awaitTask();
            for (Runnable task = own.poll(); task != null; task = own.poll()) {
                begunNs = conductor.nowNs();
                task.run();
            }
        }
    }

    private void awaitTask() throws InterruptedException {
        Waiter mine = new Waiter();
        waiter = mine;
        try {
            if (!over && own.isEmpty()) {
                conductor.await(() -> {}, mine, Long.MAX_VALUE);
            }
        } finally {
            waiter = null;
        }
    }

    /** The process's own thread is stuck: others do what waits for it. */
    @Override
    public int doWork(long nowNs) {
        if (waiter != null || own.isEmpty() || nowNs - begunNs < STUCK_NS) {
            return 0;
        }
        int moved = 0;
        for (Runnable task = own.poll(); task != null; task = own.poll()) {
            if (!SessionThreads.tryExecute(threads, task)) {
                own.add(task);
                break;
            }
            moved++;
        }
        return moved;
    }

    @Override
    public boolean isTimed() {
        return !own.isEmpty();
    }

    @Override
    public void close() {
        conductor.execute(() -> conductor.removeDuty(this));
        threads.shutdownNow();
    }
}
