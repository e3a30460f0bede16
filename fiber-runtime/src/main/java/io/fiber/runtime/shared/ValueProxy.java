// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import io.fiber.ManagedValue;
import io.fiber.function.SerializableUnaryOperator;
import io.fiber.runtime.shared.host.Kind;
import io.fiber.runtime.shared.host.ObjectOperation;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A managed value as a program holds it. Thread-safe. */
@SuppressWarnings({"unchecked", "NullAway"}) // the value is what was put in, null where it may be
final class ValueProxy<T extends @Nullable Object> extends Proxied implements ManagedValue<T> {
    private static final long serialVersionUID = 1L;

    ValueProxy(RemoteObject remote) {
        super(remote, ObjectHandle.of(Kind.VALUE, remote));
    }

    @Override
    public T get() {
        return HeldCopy.of(remote().call(ObjectOperation.GET));
    }

    @Override
    public void set(T value) {
        remote().call(ObjectOperation.SET, value);
    }

    @Override
    public T getAndSet(T value) {
        return (T) remote().call(ObjectOperation.GET_AND_SET, value);
    }

    @Override
    public boolean compareAndSet(T expected, T value) {
        return (boolean) remote().call(ObjectOperation.COMPARE_AND_SET, expected, value);
    }

    @Override
    public T updateAndGet(SerializableUnaryOperator<T> operator) {
        return HeldCopy.of(remote().call(ObjectOperation.UPDATE_AND_GET, Objects.requireNonNull(operator, "operator")));
    }

    @Override
    public T getAndUpdate(SerializableUnaryOperator<T> operator) {
        return (T) remote().call(ObjectOperation.GET_AND_UPDATE, Objects.requireNonNull(operator, "operator"));
    }
}
