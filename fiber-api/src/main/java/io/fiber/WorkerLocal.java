// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import static java.util.Objects.requireNonNull;

import io.fiber.function.RemoteCallable;
import java.io.Serializable;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A value that each process makes for itself, once, when it is first asked for: a model, a connection, a cache. It is kept
 * for later tasks of the worker. Held in a constant or captured by a function:
 *
 * <pre>{@code
 * private static final WorkerLocal<Model> MODEL = WorkerLocal.of(Model::load);
 *
 * pool.map(item -> MODEL.get().score(item), items);
 * }</pre>
 *
 * <p>A value that is {@link AutoCloseable} is closed when its process ends, unless that is killed; closing has as long as the
 * setting {@code shutdown-grace} says. The task threads of a
 * worker have one value in common, which must be thread-safe then. Thread-safe.
 *
 * @param <T> the value, which never travels
 */
public final class WorkerLocal<T> implements Serializable {
    private static final long serialVersionUID = 1L;

    /** The values of this process. */
    private static final Map<String, Cell> CELLS = new ConcurrentHashMap<>();

    private final String id = UUID.randomUUID().toString();
    private final RemoteCallable<? extends T> supplier;

    private WorkerLocal(RemoteCallable<? extends T> supplier) {
        this.supplier = supplier;
    }

    /** The value of one of them in this process. */
    private static final class Cell {
        private @Nullable Object value;

        synchronized Object get(RemoteCallable<?> supplier) {
            Object known = value;
            if (known == null) {
                known = make(supplier);
                value = known;
            }
            return known;
        }

        private static Object make(RemoteCallable<?> supplier) {
            try {
                Object made = requireNonNull(supplier.call(), "what the supplier returned");
                if (made instanceof AutoCloseable closeable) {
                    Runtime.getRuntime().addShutdownHook(new Thread(() -> close(closeable), "fiber-worker-local"));
                }
                return made;
            } catch (Exception e) {
                throw new FiberException("FBR-486", "The supplier of a WorkerLocal threw " + e, e);
            }
        }

        private static void close(AutoCloseable value) {
            try {
                value.close();
            } catch (Exception e) {
                System.getLogger(WorkerLocal.class.getName())
                        .log(System.Logger.Level.WARNING, "A value of a WorkerLocal could not be closed.", e);
            }
        }
    }

    /**
     * Returns a value that each process makes by this supplier.
     *
     * @param supplier what it captures must be serializable when this travels; must not return null
     */
    public static <T> WorkerLocal<T> of(RemoteCallable<? extends T> supplier) {
        return new WorkerLocal<>(requireNonNull(supplier, "supplier"));
    }

    /**
     * Returns the value of this process. The first call makes it, during which others wait.
     *
     * @throws FiberException FBR-486 when the supplier throws; the next call tries again
     */
    @SuppressWarnings("unchecked") // the supplier made it
    public T get() {
        return (T) CELLS.computeIfAbsent(id, unknown -> new Cell()).get(supplier);
    }
}
