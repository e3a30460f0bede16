// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serialization;

import io.fiber.runtime.serialization.functions.RefusedInputException;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.AbstractOwnableSynchronizer;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Serializes deeply nested objects on a thread with a large enough stack. Object streams process objects recursively,
 * and the calling thread has whatever stack the program gave it.
 */
final class DeepStack {

    /** The maximum depth of objects on any other thread, far from the end of a stack of 1 MiB. */
    private static final long LEVELS_ELSEWHERE = 200;

    /**
     * The stack counted for a level. Interpreted code takes 0.7 KiB for a field and 1.7 KiB for a {@code TreeMap}; the
     * rest is for the program's methods and for comparisons of keys.
     */
    private static final long LEVEL_BYTES = 4 << 10;

    private static final long LEAST_BYTES = 4L << 20;
    /**
     * Enough for 4,096 levels at {@link #LEVEL_BYTES}. An overflow unwinds through the {@code writeObject} of each
     * level, which creates an exception each time: with a stack of 64 MiB that took 90 s, and the caller waits.
     */
    private static final long STACK_BYTES = 16L << 20;

    /** Trying the caller's stack first takes up to 0.1 s; starting a thread takes 0.1 ms. */
    private static final int MOST_EXPECTED = 1_000;

    private static final long LOOK_AGAIN_MS = 100;
    private static final int MOST_LOOKS = 100;

    private DeepStack() {}

    /** Returns the maximum depth of objects that the current thread may read. */
    static long levels() {
        return Thread.currentThread() instanceof DeepThread<?> deep ? deep.levels() : LEVELS_ELSEWHERE;
    }

    /** Returns an exception for objects that are nested too deeply for the thread that reads them. */
    static RefusedInputException refusal() {
        return new TooManyLevelsException(levels());
    }

    /** Returns whether something failed because it was too deep for the current thread, and may work on another one. */
    static boolean helps(Throwable thrown) {
        if (Thread.currentThread() instanceof DeepThread) {
            return false;
        }
        for (Throwable cause : Causes.of(thrown)) {
            if (cause instanceof StackOverflowError || cause instanceof TooManyLevelsException) {
                return true;
            }
        }
        return false;
    }

    /**
     * Runs an action on a thread with a large stack and waits for it. The thread has the class loader of the calling
     * thread.
     *
     * @throws TooDeepException if its stack is not large enough
     * @throws Exception what {@code work} throws
     */
    static <T extends @Nullable Object> T call(Callable<T> work) throws Exception {
        return call(work, MOST_LOOKS);
    }

    /**
     * Runs an action and gives up if the thread waited for a lock at each of {@code looks} looks; the thread may
     * continue then.
     */
    static <T extends @Nullable Object> T call(Callable<T> work, int looks) throws Exception {
        DeepThread<T> thread = start(work);
        boolean isInterrupted = false;
        int looksWhileBlocked = 0;
        while (thread.isAlive() && looksWhileBlocked < looks) {
            try {
                thread.join(LOOK_AGAIN_MS);
                looksWhileBlocked = waitsForLock(thread) ? looksWhileBlocked + 1 : 0;
            } catch (InterruptedException e) {
                isInterrupted = true;
                thread.interrupt();
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
        if (thread.isAlive()) {
            throw new IllegalStateException(
                    "the objects are nested so deeply that Fiber processes them in another thread, and that thread"
                            + " waits for a lock that thread '"
                            + Thread.currentThread().getName()
                            + "' may hold. Release the lock, or send a list of the parts instead of a chain of"
                            + " objects");
        }
        return thread.result();
    }

    /**
     * Returns whether a thread waits for a lock. A monitor makes it BLOCKED, a {@code java.util.concurrent} lock makes
     * it WAITING.
     */
    private static boolean waitsForLock(Thread thread) {
        return thread.getState() == Thread.State.BLOCKED
                || LockSupport.getBlocker(thread) instanceof AbstractOwnableSynchronizer;
    }

    private static <T extends @Nullable Object> DeepThread<T> start(Callable<T> work) {
        long bytes = STACK_BYTES;
        while (true) {
            DeepThread<T> thread = new DeepThread<>(work, bytes);
            try {
                thread.start();
                return thread;
            } catch (OutOfMemoryError noRoom) {
                // The address space of this process is limited.
                if (bytes <= LEAST_BYTES) {
                    throw noRoom;
                }
                bytes /= 2;
            }
        }
    }

    /**
     * Whether the next objects of a class are expected to be deeply nested, like one of the last. Then the caller's
     * stack is not tried. Thread-safe; a wrong answer costs only time.
     */
    static final class Expectation {
        private volatile int left;

        /** Records that an object was deeply nested. */
        void confirm() {
            left = MOST_EXPECTED;
        }

        boolean isDeep() {
            int now = left;
            if (now > 0 && !(Thread.currentThread() instanceof DeepThread)) {
                left = now - 1;
                return true;
            }
            return false;
        }
    }

    private static final class DeepThread<T extends @Nullable Object> extends Thread {

        private final Callable<T> work;
        private final long stackBytes;
        private @Nullable T result;
        private @Nullable Throwable thrown;

        DeepThread(Callable<T> work, long stackBytes) {
            super(null, null, Thread.currentThread().getName() + "-deep", stackBytes);
            this.work = work;
            this.stackBytes = stackBytes;
            setDaemon(true);
            setContextClassLoader(Thread.currentThread().getContextClassLoader());
        }

        long levels() {
            return stackBytes / LEVEL_BYTES;
        }

        @Override
        public void run() {
            try {
                result = work.call();
            } catch (StackOverflowError e) {
                thrown = new TooDeepException(stackBytes, e);
            } catch (Throwable e) {
                thrown = e;
            }
        }

        @SuppressWarnings("NullAway") // null only if T may be
        T result() throws Exception {
            if (thrown instanceof Exception exception) {
                throw exception;
            } else if (thrown instanceof Error error) {
                throw error;
            }
            return result;
        }
    }

    /** Thrown if objects are nested too deeply even for the stack of such a thread. */
    static final class TooDeepException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final long stackBytes;

        TooDeepException(long stackBytes, StackOverflowError overflow) {
            super("More than a stack of " + stackBytes + " bytes.", overflow, false, false);
            this.stackBytes = stackBytes;
        }

        long stackBytes() {
            return stackBytes;
        }
    }

    /** Refuses objects that another thread may be able to read. */
    private static final class TooManyLevelsException extends RefusedInputException {
        private static final long serialVersionUID = 1L;

        TooManyLevelsException(long levels) {
            super(
                    "FBR-204",
                    "objects are nested deeper than " + levels + " levels, the most that is safe on a stack of "
                            + ((levels * LEVEL_BYTES) >> 20)
                            + " MiB; send a list of the parts instead of a chain of objects");
        }
    }
}
