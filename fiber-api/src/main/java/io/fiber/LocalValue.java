// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import static java.util.Objects.requireNonNull;

import io.fiber.function.RemoteCallable;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.SoftReference;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The value of a {@link WorkerLocal} in this process. The handles that refer to it hold it strongly. Between two calls
 * there may be no handle here, so a map also holds it softly: the next call finds it unless the memory was needed.
 * Thread-safe.
 */
final class LocalValue {

    private static final System.Logger LOG = System.getLogger(WorkerLocal.class.getName());
    private static final Map<String, Kept> KEPT = new ConcurrentHashMap<>();
    private static final ReferenceQueue<LocalValue> FREED = new ReferenceQueue<>();

    /** A warning says at this number of values of one supplier that probably each call creates one. */
    private static final int MANY = 100;

    /** How many values the suppliers of a class have created. */
    private static final ClassValue<AtomicInteger> MADE = new ClassValue<>() {
        @Override
        protected AtomicInteger computeValue(Class<?> type) {
            return new AtomicInteger();
        }
    };

    /**
     * How long to wait for softly held values. The JVM frees them before it runs out of memory, and they are closed
     * soon after.
     */
    private static final long FREED_MS = 200;

    private final Kept kept;
    private @Nullable Object value;

    private LocalValue(String id) {
        this.kept = new Kept(id, this);
    }

    /** Holds a value softly, and strongly what closes it, because it must be closed when no handle is left. */
    private static final class Kept extends SoftReference<LocalValue> {
        private final String id;
        private @Nullable AutoCloseable closeable;
        private @Nullable Thread hook;

        Kept(String id, LocalValue value) {
            super(value, FREED);
            this.id = id;
        }

        synchronized void closeAtEnd(AutoCloseable made) {
            closeable = made;
            hook = new Thread(
                    () -> close(made),
                    "close() of a WorkerLocal's " + made.getClass().getName());
            Runtime.getRuntime().addShutdownHook(hook);
        }

        private synchronized void closeNow() {
            AutoCloseable made = closeable;
            Thread atEnd = hook;
            if (made != null && atEnd != null) {
                try {
                    Runtime.getRuntime().removeShutdownHook(atEnd);
                } catch (IllegalStateException e) {
                    // The process is ending, and the hook closes the value.
                    return;
                }
                close(made);
            }
        }

        private static void close(AutoCloseable value) {
            try {
                value.close();
            } catch (Exception e) {
                LOG.log(System.Logger.Level.WARNING, "A value of a WorkerLocal could not be closed.", e);
            }
        }
    }

    /** Returns the value with this id. */
    static LocalValue of(String id) {
        while (true) {
            Kept known = KEPT.get(id);
            LocalValue value = known == null ? null : known.get();
            if (value != null) {
                return value;
            }
            closeFreed(FREED.poll());
            LocalValue made = new LocalValue(id);
            boolean mine = known == null ? KEPT.putIfAbsent(id, made.kept) == null : KEPT.replace(id, known, made.kept);
            if (mine) {
                return made;
            }
        }
    }

    private static boolean closeFreed(@Nullable Reference<? extends LocalValue> first) {
        for (Reference<? extends LocalValue> freed = first; freed != null; freed = FREED.poll()) {
            Kept gone = (Kept) freed;
            KEPT.remove(gone.id, gone);
            gone.closeNow();
        }
        return first != null;
    }

    /** Returns what the supplier creates or has created. */
    synchronized Object get(RemoteCallable<?> supplier) {
        Object known = value;
        if (known == null) {
            known = make(supplier);
            value = known;
        }
        return known;
    }

    private Object make(RemoteCallable<?> supplier) {
        warnOfMany(supplier);
        try {
            Object made = requireNonNull(callTwice(supplier), "what the supplier returned");
            if (made instanceof AutoCloseable closeable) {
                kept.closeAtEnd(closeable);
            }
            return made;
        } catch (Exception e) {
            throw new FiberException("FBR-486", "The supplier of a WorkerLocal threw " + e, e);
        }
    }

    /**
     * Tries again after an OutOfMemoryError. The JVM may have freed values that must be closed before memory is
     * available.
     */
    private static Object callTwice(RemoteCallable<?> supplier) throws Exception {
        try {
            return supplier.call();
        } catch (OutOfMemoryError e) {
            if (!closeFreed(FREED.remove(FREED_MS))) {
                throw e;
            }
            return supplier.call();
        }
    }

    private static void warnOfMany(RemoteCallable<?> supplier) {
        if (MADE.get(supplier.getClass()).incrementAndGet() == MANY) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "FBR-487 This process has made " + MANY + " values of WorkerLocals of one supplier, "
                            + supplier.getClass().getName() + ". A WorkerLocal that is made for each call makes a value"
                            + " for each call; make it once, in a constant or outside of the loop.");
        }
    }
}
