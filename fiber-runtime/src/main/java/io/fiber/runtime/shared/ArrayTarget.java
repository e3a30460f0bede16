// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import java.lang.reflect.Array;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** An array of primitives, whose proxy has checked indexes. */
@SuppressWarnings({"unchecked", "NullAway"}) // arguments are what the proxy sends
record ArrayTarget(Object array) implements Target {

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
                System.arraycopy(arguments[1], 0, array, index, Array.getLength(arguments[1]));
                yield null;
            }
            default -> throw Target.unknown(operation);
        };
    }

    private Object copyOfRange(int from, int to) {
        Object copy = Array.newInstance(array.getClass().getComponentType(), to - from);
        System.arraycopy(array, from, copy, 0, to - from);
        return copy;
    }
}
