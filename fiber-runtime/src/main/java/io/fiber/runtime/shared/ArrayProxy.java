// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import io.fiber.ManagedArray;
import io.fiber.function.SerializableUnaryOperator;
import io.fiber.runtime.shared.host.Kind;
import io.fiber.runtime.shared.host.ObjectOperation;
import java.util.Objects;

/** A managed array as a program holds it. Thread-safe. */
@SuppressWarnings({"unchecked", "NullAway"}) // elements and arrays are of the type of the first array
final class ArrayProxy<E extends Number, A> extends Proxied implements ManagedArray<E, A> {
    private static final long serialVersionUID = 1L;

    private final int length;

    ArrayProxy(RemoteObject remote, int length) {
        super(remote, new ObjectHandle(Kind.ARRAY, remote.address(), length, null));
        this.length = length;
    }

    @Override
    public int length() {
        return length;
    }

    @Override
    public E get(int index) {
        return (E) remote().call(ObjectOperation.GET, Objects.checkIndex(index, length));
    }

    @Override
    public void set(int index, E value) {
        remote().call(ObjectOperation.SET, Objects.checkIndex(index, length), Objects.requireNonNull(value, "value"));
    }

    @Override
    public E updateAndGet(int index, SerializableUnaryOperator<E> operator) {
        Objects.requireNonNull(operator, "operator");
        return (E) remote().call(ObjectOperation.UPDATE_AND_GET, Objects.checkIndex(index, length), operator);
    }

    @Override
    public E getAndUpdate(int index, SerializableUnaryOperator<E> operator) {
        Objects.requireNonNull(operator, "operator");
        return (E) remote().call(ObjectOperation.GET_AND_UPDATE, Objects.checkIndex(index, length), operator);
    }

    @Override
    public boolean compareAndSet(int index, E expected, E value) {
        Objects.requireNonNull(value, "value");
        return (boolean)
                remote().call(ObjectOperation.COMPARE_AND_SET, Objects.checkIndex(index, length), expected, value);
    }

    @Override
    public A toArray() {
        return copyOfRange(0, length);
    }

    @Override
    public A copyOfRange(int from, int to) {
        return (A) remote().call(ObjectOperation.COPY_OF_RANGE, Objects.checkFromToIndex(from, to, length), to);
    }

    @Override
    public void setRange(int from, A values) {
        remote().call(
                        ObjectOperation.SET_RANGE,
                        Objects.checkFromToIndex(from, length, length),
                        Objects.requireNonNull(values, "values"));
    }
}
