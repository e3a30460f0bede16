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
 * The value of a {@link WorkerLocal} in this process. Its handles hold it. Between two calls there may be no handle in this
 * process, so it is also held softly: the next call finds it unless the memory was needed. A value that must be closed is held
 * until the process ends, because nothing tells when its last user is done. Thread-safe.
 */
final class LocalValue {

    private static final System.Logger LOG = System.getLogger(WorkerLocal.class.getName());
    private static final Map<String, Kept> KEPT = new ConcurrentHashMap<>();
    private static final ReferenceQueue<LocalValue> FREED = new ReferenceQueue<>();

    /** After this many values of one supplier it looks as if each call made one. */
    private static final int MANY = 100;

    /** How many values the suppliers of a class have made. */
    private static final ClassValue<AtomicInteger> MADE = new ClassValue<>() {
        @Override
        protected AtomicInteger computeValue(Class<?> type) {
            return new AtomicInteger();
        }
    };

    private final Kept kept;
    private @Nullable Object value;

    private LocalValue(String id) {
        this.kept = new Kept(id, this);
    }

    private static final class Kept extends SoftReference<LocalValue> {
        private final String id;

        @SuppressWarnings("unused") // it holds the value
        private volatile @Nullable LocalValue untilTheEnd;

        Kept(String id, LocalValue value) {
            super(value, FREED);
            this.id = id;
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
            forgetFreed();
            if (known != null) {
                KEPT.remove(id, known);
            }
            LocalValue made = new LocalValue(id);
            if (KEPT.putIfAbsent(id, made.kept) == null) {
                return made;
            }
        }
    }

    private static void forgetFreed() {
        for (Reference<?> freed = FREED.poll(); freed != null; freed = FREED.poll()) {
            Kept gone = (Kept) freed;
            KEPT.remove(gone.id, gone);
        }
    }

    /** Returns what the supplier has made, now or before. */
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
            Object made = requireNonNull(supplier.call(), "the value that the supplier returned");
            if (made instanceof AutoCloseable closeable) {
                kept.untilTheEnd = this;
                closeAtEnd(closeable);
            }
            return made;
        } catch (Exception e) {
            throw new FiberException("FBR-486", "The supplier of a WorkerLocal threw " + e, e);
        }
    }

    private static void closeAtEnd(AutoCloseable made) {
        Thread hook = new Thread(
                () -> close(made),
                "close() of a WorkerLocal's " + made.getClass().getName());
        Runtime.getRuntime().addShutdownHook(hook);
    }

    private static void close(AutoCloseable value) {
        try {
            value.close();
        } catch (Throwable e) {
            LOG.log(System.Logger.Level.WARNING, "A value of a WorkerLocal could not be closed.", e);
        }
    }

    private static void warnOfMany(RemoteCallable<?> supplier) {
        if (MADE.get(supplier.getClass()).incrementAndGet() == MANY) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "FBR-487 This process has created " + MANY + " values of WorkerLocals with one supplier, "
                            + supplier.getClass().getName() + ". A WorkerLocal that is created for each call also has"
                            + " a value for each call. Create it once, in a constant or outside the loop.");
        }
    }
}
