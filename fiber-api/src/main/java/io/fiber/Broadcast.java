// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import java.io.Serializable;

/**
 * A handle of a large constant value that is sent once to each host instead of with every task. {@link Fiber#broadcast}
 * creates it. The handle itself is small and serializable.
 *
 * <pre>{@code
 * try (Broadcast<FloatBuffer> noise = fiber.broadcast(FloatBuffer.wrap(table))) {
 *     pool.map(seed -> fitness(noise.get(), seed), seeds);
 * }
 * }</pre>
 *
 * <p>On the host that created the value, workers map a file below {@code java.io.tmpdir} into memory. On any other
 * host, the value is received once into such a file, which the workers there share. Each host needs room for it.
 *
 * <p>Thread-safe.
 */
public interface Broadcast<T> extends Serializable, AutoCloseable {

    /**
     * Returns the value, which you must not change. In the process that created it, this is the original object. In a
     * worker, the first call blocks until the value has arrived. Later calls return the same object as long as the
     * worker has memory for it.
     *
     * <p>If the value is a buffer, each call returns a new read-only view of the shared memory, because a view has a
     * position; nothing is copied. An array or any other object is copied into the heap of the worker.
     *
     * @throws FiberException FBR-512 if the value was closed or the process that created it is gone
     */
    T get();

    /** Returns the size of the value in shared memory, in bytes. */
    long sizeBytes();

    /**
     * Releases the value. Its memory is freed as soon as the workers that use it have ended or no longer refer to it.
     * Does nothing if the value is already closed, or if this handle was received from another process.
     */
    @Override
    void close();
}
