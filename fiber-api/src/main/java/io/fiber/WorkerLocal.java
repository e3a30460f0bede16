// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import static java.util.Objects.requireNonNull;

import io.fiber.function.RemoteCallable;
import java.io.Serializable;
import java.util.UUID;
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
 * <p>Call {@link #of} once, not for each call: each handle has a value of its own in each process. A value that no handle in
 * its process refers to is kept for later tasks and freed when the memory is needed. After 100 values of one supplier a
 * warning (FBR-487) says so.
 *
 * <p>A value that is {@link AutoCloseable} stays until its process ends and is closed then, within {@code shutdown-grace};
 * it is not closed if the process is killed. The task threads of a worker share one value, which must then be thread-safe.
 * This class is thread-safe.
 *
 * @param <T> the value, which never travels
 */
public final class WorkerLocal<T> implements Serializable {
    private static final long serialVersionUID = 1L;

    private final String id = UUID.randomUUID().toString();
    private final RemoteCallable<? extends T> supplier;
    /** What it has in this process; it lives as long as a handle has it. */
    private transient volatile @Nullable LocalValue value;

    private WorkerLocal(RemoteCallable<? extends T> supplier) {
        this.supplier = supplier;
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
        LocalValue known = value;
        if (known == null) {
            known = LocalValue.of(id);
            value = known;
        }
        return (T) known.get(supplier);
    }
}
