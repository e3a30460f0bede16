// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import static java.util.Objects.requireNonNull;

import io.fiber.function.RemoteCallable;
import java.io.Serializable;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A value that each process creates once, when it first needs it, and keeps for later tasks: a model, a connection, a
 * cache. Hold it in a constant, or capture it in a function:
 *
 * <pre>{@code
 * private static final WorkerLocal<Model> MODEL = WorkerLocal.of(Model::load);
 *
 * pool.map(item -> MODEL.get().score(item), items);
 * }</pre>
 *
 * <p>Create a {@code WorkerLocal} once, in a constant or outside a loop. A new one for each call creates a new value
 * for each call; after 100 of them, a warning says so (FBR-487). A value that no handle in its process refers to is
 * kept for later tasks until the memory is needed.
 *
 * <p>If a value is {@link AutoCloseable}, it stays until its process ends and is then closed, unless the process is
 * killed. Closing may take as long as the setting {@code shutdown-grace}.
 *
 * <p>Thread-safe. All task threads of a worker share one value, which must then be thread-safe as well.
 *
 * @param <T> type of the value, which is never sent
 */
public final class WorkerLocal<T> implements Serializable {
    private static final long serialVersionUID = 1L;

    private final String id = UUID.randomUUID().toString();
    private final RemoteCallable<? extends T> supplier;
    /** The value in this process, which lives as long as a handle refers to it. */
    private transient volatile @Nullable LocalValue value;

    private WorkerLocal(RemoteCallable<? extends T> supplier) {
        this.supplier = supplier;
    }

    /**
     * Returns a value that each process creates with this supplier.
     *
     * @param supplier what it captures must be serializable if this object is sent; must not return null
     */
    public static <T> WorkerLocal<T> of(RemoteCallable<? extends T> supplier) {
        return new WorkerLocal<>(requireNonNull(supplier, "supplier"));
    }

    /**
     * Returns the value of this process. The first call creates it; other callers wait meanwhile.
     *
     * @throws FiberException FBR-486 if the supplier throws; the next call tries again
     */
    @SuppressWarnings("unchecked") // the supplier created it
    public T get() {
        LocalValue known = value;
        if (known == null) {
            known = LocalValue.of(id);
            value = known;
        }
        return (T) known.get(supplier);
    }
}
