// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.worker;

import io.fiber.runtime.eventloop.Conductor;
import io.fiber.runtime.eventloop.ConductorIdle;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Selects which of a worker's task threads conducts: one of those without work. The others sleep until they are given
 * work, or until the conducting thread starts a task. Thread-safe.
 */
final class ConductorRotation {

    private final Conductor conductor;
    private final List<Place> places = new ArrayList<>();
    private final AtomicReference<@Nullable Place> leader = new AtomicReference<>();

    ConductorRotation(Conductor conductor, int threads) {
        this.conductor = conductor;
        for (int number = 0; number < threads; number++) {
            places.add(new Place(threads));
        }
    }

    /** Returns the place of a thread, which no other thread uses. */
    Place place(int number) {
        return places.get(number);
    }

    /** The place of one thread. */
    final class Place {
        private final boolean only;
        /** How its thread waits for the conductor's work during a task. */
        private final ConductorIdle idle;

        private volatile @Nullable Thread sleeper;

        private Place(int threads) {
            this.only = threads == 1;
            this.idle = only ? conductor.idleStrategy() : conductor.idleOfAnother();
        }

        /**
         * Called by a thread without work. It does the conductor's work, so that arriving work runs without a change of
         * threads. If another thread conducts, it sleeps.
         */
        void rest(TaskThread thread) {
            if (leader.get() == this || takesLead()) {
                int done = thread.hasReports() ? conductor.send() : conductor.look();
                if (!thread.hasWork()) {
                    conductor.idleStrategy().idle(done);
                }
                return;
            }
            if (thread.hasReports()) {
                conductor.send();
            }
            if (thread.hasReports()) {
                // Another thread is in a cycle, which may have missed these.
                conductor.wake();
            }
            sleep(thread);
        }

        private boolean takesLead() {
            boolean taken = leader.compareAndSet(null, this);
            if (taken) {
                conductor.idleStrategy().reset();
            }
            return taken;
        }

        private void sleep(TaskThread thread) {
            sleeper = Thread.currentThread();
            if (!thread.hasWork() && leader.get() != null) {
                LockSupport.park(this);
            }
            sleeper = null;
            // An interrupt between tasks does not belong to a task, and would end each sleep at once.
            Thread.interrupted();
        }

        /** Called by a thread that starts a task. A thread without work conducts from now on. */
        void beginsTask() {
            conductor.callDriver();
            if (!only && (leader.compareAndSet(this, null) || leader.get() == null)) {
                wakeOne();
            }
        }

        /** Called by a thread that has ended a task. */
        void endsTask() {
            idle.reset();
        }

        /** Called by a thread that waits during a task: runs one cycle of the conductor and pauses. */
        void waits() {
            idle.idle(conductor.doWork());
        }

        /** Wakes the thread of this place, for which there is work. Called by the thread that has put it there. */
        void call() {
            if (!only) {
                // Otherwise this thread could find all threads awake before the other one can see the work.
                VarHandle.fullFence();
                if (leader.get() == this) {
                    conductor.idleStrategy().wake();
                } else {
                    wake();
                }
            }
        }

        private boolean wake() {
            Thread asleep = sleeper;
            LockSupport.unpark(asleep);
            return asleep != null;
        }
    }

    private void wakeOne() {
        for (Place place : places) {
            if (place.wake()) {
                return;
            }
        }
    }
}
