// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.broadcast;

import io.fiber.Broadcast;
import io.fiber.FiberException;
import io.fiber.runtime.rpc.ProcessContext;
import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** The program's handle of a value. Thread-safe. */
final class BroadcastHandle<T> implements Broadcast<T> {
    @Serial
    private static final long serialVersionUID = 1L;

    private final ValueId id;
    private final transient ValueSource source;
    /** Frees the value; null if the handle was received. */
    private final transient @Nullable BroadcastRegister origin;

    private transient volatile @Nullable T value;
    private transient volatile boolean closed;

    BroadcastHandle(ValueId id, BroadcastRegister origin, T value) {
        this.id = id;
        this.source = origin;
        this.origin = origin;
        this.value = value;
    }

    private BroadcastHandle(ValueId id, ValueSource source) {
        this.id = id;
        this.source = source;
        this.origin = null;
    }

    @Serial
    private Object readResolve() {
        return new BroadcastHandle<T>(id, ProcessContext.current().part(ValueSource.class));
    }

    @Override
    @SuppressWarnings("unchecked") // the form of the id determines the type, and the creator of the handle had a T
    public T get() {
        T own = value;
        if (own != null) {
            return own;
        }
        if (closed) {
            throw new FiberException("FBR-512", "This broadcast value of " + id.sizeBytes() + " bytes was closed.");
        }
        return (T) source.get(id);
    }

    @Override
    public long sizeBytes() {
        return id.sizeBytes();
    }

    @Override
    public synchronized void close() {
        BroadcastRegister register = origin;
        if (register != null && !closed) {
            closed = true;
            value = null;
            register.remove(id);
        }
    }

    @Override
    public String toString() {
        return "Broadcast[" + id.form() + ", " + id.sizeBytes() + " bytes]";
    }
}
