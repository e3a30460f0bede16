// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.eventloop;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.ManyToOneConcurrentArrayQueue;
import org.jspecify.annotations.Nullable;

/** What the conductor is to run: commands of other threads, for which room is bounded, and its own, for which it is not. */
final class CommandQueue {

    private static final int ROOM = 1 << 14;

    private final Conductor conductor;
    private final ManyToOneConcurrentArrayQueue<Runnable> commands = new ManyToOneConcurrentArrayQueue<>(ROOM);
    /** Other threads, which are woken when the commands have been run. */
    private final Queue<Thread> waitingForRoom = new ConcurrentLinkedQueue<>();
    /** Of the thread that conducts, which must not wait for room: no other thread would make any. */
    private final ArrayDeque<Runnable> ownCommands = new ArrayDeque<>();

    CommandQueue(Conductor conductor) {
        this.conductor = conductor;
    }

    /** Adds a command of the thread that conducts. */
    void addOwn(Runnable command) {
        ownCommands.add(command);
    }

    /** Adds a command of another thread, unless there is no room. */
    boolean offer(Runnable command) {
        return commands.offer(command);
    }

    /** Adds a command of another thread, which waits for room even if interrupted; false when there will be none. */
    boolean put(Runnable command) {
        boolean interrupted = false;
        boolean taken = commands.offer(command);
        while (!taken && !conductor.isClosed()) {
            conductor.wake();
            waitingForRoom.add(Thread.currentThread());
            // Only one that was noted before it finds no room is sure to be woken.
            taken = commands.offer(command);
            if (!taken && !conductor.isClosed()) {
                LockSupport.park(this);
                interrupted |= Thread.interrupted();
                taken = !conductor.isClosed() && commands.offer(command);
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return taken;
    }

    /** Returns the next command, its own first. Called by the thread that conducts. */
    @Nullable
    Runnable poll() {
        Runnable own = ownCommands.poll();
        return own == null ? commands.poll() : own;
    }

    /** Wakes all threads that wait for room. Called by the thread that conducts, when it has run commands. */
    void wakeWriters() {
        for (Thread waiting = waitingForRoom.poll(); waiting != null; waiting = waitingForRoom.poll()) {
            LockSupport.unpark(waiting);
        }
    }

    /** Tells whether there is none of another thread. Any thread may ask. */
    boolean hasNoneOfOthers() {
        return commands.isEmpty();
    }

    /** Tells whether there is none. Called by the thread that conducts. */
    boolean isEmpty() {
        return ownCommands.isEmpty() && commands.isEmpty();
    }
}
