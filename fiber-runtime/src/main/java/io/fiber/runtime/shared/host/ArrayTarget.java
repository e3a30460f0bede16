// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared.host;

import java.lang.reflect.Array;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** An array of primitives. */
@SuppressWarnings({"unchecked", "NullAway"}) // arguments are what the proxy sends
final class ArrayTarget implements Target {

    private final Object array;

    /** Takes over an array of primitives. */
    ArrayTarget(Object array) {
        this.array = array;
    }

    @Override
    public @Nullable Object call(ObjectOperation operation, @Nullable Object[] arguments) {
        int index = (int) arguments[0];
        return switch (operation) {
            case GET -> Array.get(array, index);
            case SET -> {
                Array.set(array, index, arguments[1]);
                yield null;
            }
            case UPDATE_AND_GET, GET_AND_UPDATE -> {
                Object before = Array.get(array, index);
                Object updated = ((UnaryOperator<Object>) arguments[1]).apply(before);
                Array.set(array, index, updated);
                yield operation == ObjectOperation.UPDATE_AND_GET ? updated : before;
            }
            case COMPARE_AND_SET -> {
                boolean equal = Array.get(array, index).equals(arguments[1]);
                if (equal) {
                    Array.set(array, index, arguments[2]);
                }
                yield equal;
            }
            case COPY_OF_RANGE -> copyOfRange(index, (int) arguments[1]);
            case SET_RANGE -> {
                setRange(index, Objects.requireNonNull(arguments[1], "values"));
                yield null;
            }
            default -> throw Target.unknown(operation);
        };
    }

    private Object copyOfRange(int from, int to) {
        Objects.checkFromToIndex(from, to, Array.getLength(array));
        Object copy = Array.newInstance(array.getClass().getComponentType(), to - from);
        System.arraycopy(array, from, copy, 0, to - from);
        return copy;
    }

    private void setRange(int from, Object values) {
        int count = Array.getLength(values);
        Objects.checkFromIndexSize(from, count, Array.getLength(array));
        System.arraycopy(values, 0, array, from, count);
    }
}
