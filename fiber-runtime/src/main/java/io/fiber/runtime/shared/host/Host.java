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
 * What the objects of a manager's process share: the process and the threads that run calls, at most one for each busy
 * object. Thread-safe.
 *
 * <p>The process's own thread waits for requests and may read them itself. It runs the calls of objects whose calls have
 * been short, which saves a change of threads. If such a call takes long, other threads run the calls behind it.
 */
final class Host implements AutoCloseable, Duty {

    /** The most work that waits for the process's own thread; a change of threads costs about as much. */
    private static final long SHORT_NS = 100_000;
    /** After this long, other threads run what waits behind a call. */
    private static final long STUCK_NS = 1_000_000;

    private final ProcessContext process;
    private final Conductor conductor;
    private final ExecutorService threads;
    private final ConcurrentLinkedQueue<Runnable> own = new ConcurrentLinkedQueue<>();
    /** The process's own thread while it waits for requests; null while it runs calls. */
    private volatile @Nullable Waiter waiter;

    private volatile boolean over;
    /** When the process's own thread started its current call. */
    private volatile long begunNs;
    /** The expected time of the work that waits for that thread. Used by the conductor. */
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
     * Runs a task on another thread. If none can be started, the process's own thread runs it. If the process ends, the
     * task is dropped and its callers are told.
     */
    void execute(Runnable task) {
        if (!SessionThreads.tryExecute(threads, task)) {
            own.add(task);
            endWait();
        }
    }

    /** Runs a task that is expected to take this long. Called by the conductor. */
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

    /** Calls an object and runs the calls of others until it has answered. */
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

    /** Gives waiting calls to other threads if the process's own thread is stuck in one. */
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
