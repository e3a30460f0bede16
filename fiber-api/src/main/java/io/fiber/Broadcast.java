// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import java.io.Serializable;

/**
 * A large value that does not change, sent once to each host instead of with every task: made by {@link Fiber#broadcast},
 * and named in tasks by this handle, which is small and serializable.
 *
 * <pre>{@code
 * try (Broadcast<FloatBuffer> noise = fiber.broadcast(FloatBuffer.wrap(table))) {
 *     pool.map(seed -> fitness(noise.get(), seed), seeds);
 * }
 * }</pre>
 *
 * <p>Workers of the host where the value was made map a file below {@code java.io.tmpdir} into memory; workers of
 * another host share one there, for which the value is sent once. There must be room for it on each host.
 *
 * <p>Thread-safe.
 */
public interface Broadcast<T> extends Serializable, AutoCloseable {

    /**
     * Returns the value; it must not be changed. Where it was made it is the very object. In a worker the first call
     * blocks until the value is there; later ones return the same object, as long as the worker has memory for it.
     *
     * <p>A buffer is a read-only view of the shared memory, a new one at each call, since a view has a position; nothing
     * is copied. An array or any other object is copied into the heap of the worker.
     *
     * @throws FiberException FBR-512 when the value was closed or the process that made it is gone
     */
    T get();

    /** Returns how many bytes the value takes in memory that is shared. */
    long sizeBytes();

    /**
     * Frees the value: its memory is given back when the workers that use it have ended or have let go of it. Does
     * nothing when it was closed before, and by a handle that was received from another process.
     */
    @Override
    void close();
}
