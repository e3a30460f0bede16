// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.logging;

import java.util.Iterator;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * How the engine handles exceptions of code that it calls: of providers, listeners, hosted objects, inputs, and its own
 * commands. There are two kinds.
 *
 * <p>A fault of that code, whether it is an exception, a LinkageError or an AssertionError, ends the request and
 * nothing else. A failure of the JVM ({@link VirtualMachineError}: no memory, no stack) may come from any line. On a
 * conductor it leaves the state half changed, so it ends the conductor, and all waiting callers are told.
 */
public final class Faults {

    /** One minute of attempts. */
    private static final int TRIES_WITHOUT_MEMORY = 6_000;

    private static final long PAUSE_WITHOUT_MEMORY_NS = 10_000_000;

    private static final BiConsumer<CompletableFuture<?>, Throwable> FAIL = CompletableFuture::completeExceptionally;
    private static final BiConsumer<Consumer<Throwable>, Throwable> ACCEPT = Consumer::accept;

    private Faults() {}

    /** Runs a part on a conductor; logs a fault of it and returns that. A failure of the JVM is rethrown. */
    public static Optional<Throwable> conducted(Class<?> source, String what, Runnable part) {
        try {
            part.run();
            return Optional.empty();
        } catch (VirtualMachineError e) {
            throw e;
        } catch (Throwable e) {
            Logs.of(source).log(System.Logger.Level.ERROR, what, e);
            return Optional.of(e);
        }
    }

    /** Runs a part on a thread that only has state of its own; whatever it throws is logged. */
    public static void isolated(Class<?> source, String what, Runnable part) {
        try {
            part.run();
        } catch (Throwable e) {
            Logs.of(source).log(System.Logger.Level.WARNING, what, e);
        }
    }

    /**
     * Runs a part that no other thread would do instead. While the JVM has no memory for it, it is run again, for up to
     * a minute. Blocks meanwhile.
     */
    public static void untilMemorySuffices(Runnable part) {
        for (int tries = 0; ; tries++) {
            try {
                part.run();
                return;
            } catch (VirtualMachineError e) {
                awaitMemory(tries, e);
            }
        }
    }

    /**
     * Notifies all waiting callers, and removes each that was notified. If one cannot be notified because a class is
     * missing, the others still are. If the JVM has no memory, that caller and the following ones stay for the next
     * attempt.
     *
     * @throws LinkageError the last error of a caller that could not be notified
     */
    public static <T> void tellEach(Iterator<T> waiting, Consumer<T> how) {
        LinkageError untold = null;
        for (; waiting.hasNext(); waiting.remove()) {
            try {
                how.accept(waiting.next());
            } catch (LinkageError e) {
                untold = e;
            }
        }
        if (untold != null) {
            throw untold;
        }
    }

    /**
     * Completes a future with an exception, with the retries of {@link #untilMemorySuffices}, because a caller may wait
     * for it that nothing else would wake.
     */
    public static void fail(CompletableFuture<?> future, Throwable thrown) {
        tell(FAIL, future, thrown);
    }

    /**
     * Passes an exception on to a listener, as {@link #fail} does; the exception is created early, while there is
     * memory.
     */
    public static void tell(Consumer<Throwable> listener, Throwable thrown) {
        tell(ACCEPT, listener, thrown);
    }

    private static <T> void tell(BiConsumer<T, Throwable> how, T waiting, Throwable thrown) {
        for (int tries = 0; ; tries++) {
            try {
                how.accept(waiting, thrown);
                return;
            } catch (VirtualMachineError e) {
                awaitMemory(tries, e);
            }
        }
    }

    private static void awaitMemory(int tries, VirtualMachineError missing) {
        if (tries == TRIES_WITHOUT_MEMORY) {
            throw missing;
        }
        LockSupport.parkNanos(PAUSE_WITHOUT_MEMORY_NS);
    }
}
