// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.rpc;

import io.fiber.runtime.logging.Logs;
import io.fiber.runtime.platform.LivingThreads;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * What a program has started without waiting for it in a thread: calls with a future, and processes. In a program, it
 * keeps the JVM alive until all of that has ended, like the threads of an executor, so that nothing is lost when the
 * main thread returns. All other threads of Fiber are daemons. Thread-safe.
 */
public final class UnderWay {

    /** A program that makes calls one by one keeps its thread between two of them; its JVM ends that much later. */
    private static final long LOOK_NS = 100_000_000;

    /** After this many checks, the last end wakes the thread instead. */
    private static final int LOOKS = 20;

    private static final long NOTICE_NS = 5_000_000_000L;

    /** The kinds of things that a program starts. */
    public enum Kind {
        CALL,
        PROCESS
    }

    /** What has not ended, or has running callbacks. */
    private final Set<Started> open = ConcurrentHashMap.newKeySet();

    private final AtomicLong begun = new AtomicLong();
    private volatile boolean keeps;
    private volatile boolean resting;
    private volatile @Nullable Keeper keeper;
    private boolean noticed;

    /** A started item, compared by identity. */
    private static final class Started {
        private final Kind kind;
        private final CompletableFuture<?> end;

        Started(Kind kind, CompletableFuture<?> end) {
            this.kind = kind;
            this.end = end;
        }
    }

    /** Keeps this JVM alive while something has not ended, until the result is closed. */
    public AutoCloseable keepJvm() {
        keeps = true;
        return () -> {
            keeps = false;
            LockSupport.unpark(keeper);
        };
    }

    /** Counts what ends with this future; it has ended when the callbacks that are chained to the future have run. */
    @SuppressWarnings("FutureReturnValueIgnored") // the action does not throw
    public void add(Kind kind, CompletableFuture<?> end) {
        Started started = new Started(kind, end);
        open.add(started);
        begun.incrementAndGet();
        if (keeps && keeper == null) {
            start();
        }
        // A future first runs what was chained to it last.
        end.whenComplete((result, thrown) -> ended(started));
    }

    /** Returns whether everything has ended, including callbacks. */
    boolean isIdle() {
        return open.isEmpty();
    }

    private void ended(Started started) {
        open.remove(started);
        if (resting && isIdle()) {
            LockSupport.unpark(keeper);
        }
    }

    /**
     * Returns what has not ended, for people to read. Empty if there is nothing, and in a worker, where nothing is
     * lost.
     */
    public String inWords() {
        if (!keeps) {
            return "";
        }
        long calls = unended(Kind.CALL);
        long processes = unended(Kind.PROCESS);
        String and = calls > 0 && processes > 0 ? " and " : "";
        return counted(calls, "call", "calls") + and + counted(processes, "process", "processes");
    }

    private long unended(Kind kind) {
        return open.stream()
                .filter(started -> started.kind == kind && !started.end.isDone())
                .count();
    }

    private static String counted(long count, String one, String many) {
        return count == 0 ? "" : count + " " + (count == 1 ? one : many);
    }

    private synchronized void start() {
        if (keeper == null) {
            Keeper made = new Keeper(this::keep);
            keeper = made;
            try {
                made.start();
            } catch (OutOfMemoryError e) {
                // The JVM is not kept alive, and continues.
                keeper = null;
            }
        }
    }

    /** The only kind of thread of Fiber that keeps a JVM alive. It must not refer to what its starter holds. */
    private static final class Keeper extends Thread {
        Keeper(Runnable task) {
            super(null, task, "fiber-under-way", 0, false);
            setDaemon(false);
            setContextClassLoader(null);
        }
    }

    private void keep() {
        for (int looks = 0; keeps; looks++) {
            long before = begun.get();
            rest(looks);
            if (isIdle() && begun.get() == before && end()) {
                return;
            }
            if (begun.get() != before || isIdle()) {
                looks = 0;
            } else if (looks > LOOKS) {
                notice();
            }
        }
    }

    private void rest(int looks) {
        if (looks < LOOKS) {
            LockSupport.parkNanos(this, LOOK_NS);
            return;
        }
        resting = true;
        if (!isIdle() && keeps) {
            LockSupport.parkNanos(this, NOTICE_NS);
        }
        resting = false;
    }

    /** Returns false if something was started meanwhile that found this thread. */
    private boolean end() {
        keeper = null;
        return isIdle() || !resume();
    }

    private synchronized boolean resume() {
        boolean mine = keeper == null;
        if (mine) {
            keeper = (Keeper) Thread.currentThread();
        }
        return mine;
    }

    /** Logs why the JVM continues after its program has returned, because it would look as if it hung. */
    private void notice() {
        String words = inWords();
        if (!noticed && !words.isEmpty() && LivingThreads.all().stream().allMatch(UnderWay::keepsNothing)) {
            noticed = true;
            Logs.of(UnderWay.class)
                    .log(
                            System.Logger.Level.WARNING,
                            "FBR-314 The threads of this program have ended, but its JVM keeps running for " + words
                                    + " that the program did not wait for. Close the pool or the session, for example"
                                    + " with try-with-resources, or wait for the futures.");
        }
    }

    private static boolean keepsNothing(Thread thread) {
        return thread.isDaemon() || thread instanceof Keeper || thread.getName().equals("DestroyJavaVM");
    }
}
