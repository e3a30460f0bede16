// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.worker;

import io.fiber.runtime.platform.LivingThreads;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/**
 * The shutdown hooks of this JVM other than one of Fiber's. A JVM does not list them, but the thread that ends it
 * starts them one after the other and then waits for them in the same order. So a hook is a thread that was created
 * before the JVM began to end, was not alive then, and is alive when that thread has started the last one. Immutable.
 */
final class OtherHooks {

    private static final long LOOK_NS = 100_000;
    /**
     * Between two hooks, the JVM waits for neither. After this many looks, a thread that does not say what it waits for
     * is not asked again.
     */
    private static final int MOST_LOOKS = 50;

    /**
     * How long threads that compute delay the end of a JVM. A thread that has created another one starts it within
     * microseconds, or some milliseconds on a busy host.
     */
    private static final long MOST_SETTLE_NS = 50_000_000;

    private final Set<Thread> alive = Collections.newSetFromMap(new IdentityHashMap<>());
    /** Ids grow: threads that hooks create from now on have this id or a greater one. */
    private final long idOfNext;

    /** Whether no hook had been started. */
    private final boolean complete;

    private OtherHooks(boolean complete) {
        this.complete = complete;
        idOfNext = id(new Thread("fiber-end"));
        awaitStarts();
        alive.addAll(LivingThreads.all());
    }

    /**
     * Waits until each thread that was created before this call is alive, unless it is a hook. A thread that has waited
     * for anything since then is not just about to start another one.
     */
    private static void awaitStarts() {
        long dueNs = System.nanoTime() + MOST_SETTLE_NS;
        List<Thread> busy = new ArrayList<>(LivingThreads.all());
        busy.remove(Thread.currentThread());
        busy.removeIf(OtherHooks::isSettled);
        while (!busy.isEmpty() && System.nanoTime() < dueNs) {
            LockSupport.parkNanos(LOOK_NS);
            busy.removeIf(OtherHooks::isSettled);
        }
    }

    private static boolean isSettled(Thread thread) {
        return switch (thread.getState()) {
            case NEW, WAITING, TIMED_WAITING, TERMINATED -> true;
            case BLOCKED -> false;
            case RUNNABLE -> !LateThreads.isApplication(thread) || isInNativeCode(thread);
        };
    }

    /** Such as a thread that waits for a socket. */
    private static boolean isInNativeCode(Thread thread) {
        StackTraceElement[] trace = thread.getStackTrace();
        return trace.length > 0
                && trace[0].isNativeMethod()
                && !trace[0].getClassName().equals(Thread.class.getName());
    }

    /** Records the threads of a JVM that is about to end. */
    static OtherHooks noneStarted() {
        return new OtherHooks(true);
    }

    /** Records the threads of a JVM that has started some hooks, but not yet Fiber's. */
    static OtherHooks someStarted() {
        return new OtherHooks(false);
    }

    /** Returns the threads that were alive. */
    Set<Thread> alive() {
        return alive;
    }

    /**
     * Waits until all other hooks have ended; returns false if the time is over first. Called by Fiber's own hook.
     *
     * @param ending the thread that ends the JVM
     */
    boolean awaitEnd(Thread ending, long dueNs) {
        if (!areStarted(ending, dueNs)) {
            return false;
        }
        List<Thread> hooks = hooks();
        return (complete || haveEarlierEnded(ending, dueNs)) && haveEnded(hooks, dueNs);
    }

    /** Returns the living threads that are hooks: all of them, or the later ones and perhaps some of the earlier ones. */
    private List<Thread> hooks() {
        List<Thread> hooks = new ArrayList<>();
        for (Thread thread : LivingThreads.all()) {
            boolean isNew = !alive.contains(thread) && id(thread) < idOfNext;
            if (isNew && thread != Thread.currentThread() && LateThreads.isApplication(thread)) {
                hooks.add(thread);
            }
        }
        return hooks;
    }

    /** Returns whether all hooks were started. The JVM waits for the first one once it has started the last one. */
    private static boolean areStarted(Thread ending, long dueNs) {
        while (ending.getState() != Thread.State.WAITING) {
            if (leftMs(dueNs) <= 0) {
                return false;
            }
            LockSupport.parkNanos(LOOK_NS);
        }
        return true;
    }

    /** Returns whether the hooks before Fiber's own have ended, which is so when the JVM waits for Fiber's. */
    private static boolean haveEarlierEnded(Thread ending, long dueNs) {
        int looks = 0;
        while (looks < MOST_LOOKS) {
            Optional<Thread> awaited = LateThreads.awaitedBy(ending);
            if (awaited.isEmpty()) {
                looks++;
                LockSupport.parkNanos(LOOK_NS);
            } else if (awaited.get() == Thread.currentThread()) {
                return true;
            } else if (!hasEnded(awaited.get(), dueNs)) {
                return false;
            }
        }
        return leftMs(dueNs) > 0;
    }

    private static boolean haveEnded(List<Thread> hooks, long dueNs) {
        for (Thread hook : hooks) {
            if (!hasEnded(hook, dueNs)) {
                return false;
            }
        }
        return true;
    }

    @SuppressWarnings("ThreadJoinLoop") // an interrupt is not the end of the hook
    private static boolean hasEnded(Thread hook, long dueNs) {
        while (hook.isAlive() && leftMs(dueNs) > 0) {
            try {
                hook.join(leftMs(dueNs) + 1);
            } catch (InterruptedException e) {
                // By another hook; there may be time left.
            }
        }
        return !hook.isAlive();
    }

    private static long leftMs(long dueNs) {
        return (dueNs - System.nanoTime()) / 1_000_000;
    }

    @SuppressWarnings("deprecation") // threadId() is of Java 19
    private static long id(Thread thread) {
        return thread.getId();
    }
}
