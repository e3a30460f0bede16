// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.eventloop;

import java.lang.invoke.VarHandle;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.agrona.concurrent.ManyToOneConcurrentArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * What threads want the conductor to do, in the order of each of them. There is room for some thousand commands, and a
 * thread that finds none waits; the thread that conducts always has room, because no other thread would make any.
 */
final class Commands {

    private static final int ROOM = 1 << 14;

    private final ManyToOneConcurrentArrayQueue<Runnable> ofOthers = new ManyToOneConcurrentArrayQueue<>(ROOM);
    private final ArrayDeque<Runnable> own = new ArrayDeque<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition room = lock.newCondition();
    private final AtomicInteger waiting = new AtomicInteger();
    private volatile boolean closed;

    /** Adds a command of the thread that conducts. */
    void addOwn(Runnable command) {
        own.add(command);
    }

    /** Adds a command of another thread, unless there is no room. */
    boolean offer(Runnable command) {
        return ofOthers.offer(command);
    }

    /**
     * Waits for room, whether the thread is interrupted or not.
     *
     * @return false when there will be none, because the conductor has closed
     */
    boolean awaitRoom() {
        lock.lock();
        try {
            waiting.incrementAndGet();
            while (!closed && ofOthers.size() >= ROOM) {
                room.awaitUninterruptibly();
            }
            return !closed;
        } finally {
            waiting.decrementAndGet();
            lock.unlock();
        }
    }

    /** Tells whether another thread has one. Any thread may ask. */
    boolean haveSome() {
        return !ofOthers.isEmpty();
    }

    /** Tells whether there is none; for the thread that conducts. */
    boolean isEmpty() {
        return own.isEmpty() && ofOthers.isEmpty();
    }

    /** Returns the next command; null when there is none. Called by the thread that conducts. */
    @Nullable
    Runnable poll() {
        Runnable command = own.poll();
        return command == null ? ofOthers.poll() : command;
    }

    /** Wakes who waits for the room that {@link #poll} has made. Called by the thread that conducts. */
    void tellRoom() {
        VarHandle.fullFence();
        if (waiting.get() > 0) {
            wakeAll();
        }
    }

    /** Ends every wait for room. */
    void close() {
        closed = true;
        wakeAll();
    }

    private void wakeAll() {
        lock.lock();
        try {
            room.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
