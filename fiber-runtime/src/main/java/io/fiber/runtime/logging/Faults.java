// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.logging;

import java.util.Iterator;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * How the engine takes what is thrown by code that it calls: of providers, listeners, hosted objects, inputs, and its own
 * commands. There are two kinds.
 *
 * <p>A fault of that code, whether it is an exception, a LinkageError or an AssertionError, ends what was asked and nothing
 * else. A failure of the JVM ({@link VirtualMachineError}: no memory, no stack) may come from any line: on a conductor, whose
 * state is half done then, it ends the conductor, and all that wait are told.
 */
public final class Faults {

    /** A minute of tries. */
    private static final int TRIES_WITHOUT_MEMORY = 6_000;

    private static final long PAUSE_WITHOUT_MEMORY_NS = 10_000_000;

    private static final BiConsumer<CompletableFuture<?>, Throwable> FAIL = CompletableFuture::completeExceptionally;
    private static final BiConsumer<Consumer<Throwable>, Throwable> ACCEPT = Consumer::accept;

    private Faults() {}

    /** Runs a part on a conductor; logs a fault of it and returns that. A failure of the JVM is thrown on. */
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

    /** Runs a part on a thread that has its own state only; whatever it throws is logged. */
    public static void isolated(Class<?> source, String what, Runnable part) {
        try {
            part.run();
        } catch (Throwable e) {
            Logs.of(source).log(System.Logger.Level.WARNING, what, e);
        }
    }

    /**
     * Runs a part that no other thread would do in its place. While the JVM has no memory for it, it is run again, for a
     * minute at most. Blocks meanwhile.
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
     * Tells all that wait, and removes each when it was told. One that cannot be told, as a class is missing for it, keeps no
     * other from being told; where the JVM has no memory, it and those behind it stay for the next try.
     *
     * @throws LinkageError what the last one threw that could not be told
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
     * Completes a future with what was thrown, as {@link #untilMemorySuffices} does: a caller may wait for it whom nothing
     * else would wake.
     */
    public static void fail(CompletableFuture<?> future, Throwable thrown) {
        tell(FAIL, future, thrown);
    }

    /** Tells a listener what was thrown, as {@link #fail} does; it is made early, while there is memory. */
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
