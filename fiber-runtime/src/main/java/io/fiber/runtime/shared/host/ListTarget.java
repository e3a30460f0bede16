// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared.host;

import io.fiber.function.RemoteFunction;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A list of values. */
@SuppressWarnings({"unchecked", "NullAway"}) // arguments are what the proxy sends; elements may be null
record ListTarget(List<Object> list) implements Target {

    @Override
    public @Nullable Object call(ObjectOperation operation, @Nullable Object[] arguments) throws Exception {
        return switch (operation) {
            case SIZE -> list.size();
            case GET -> list.get((int) arguments[0]);
            case GET_FIRST -> list.get(present(0));
            case GET_LAST -> list.get(present(list.size() - 1));
            case CONTAINS -> list.contains(arguments[0]);
            case INDEX_OF -> list.indexOf(arguments[0]);
            case LAST_INDEX_OF -> list.lastIndexOf(arguments[0]);
            case SNAPSHOT -> list;
            case CALL -> ((RemoteFunction<Object, Object>) arguments[0]).apply(list);
            default -> change(operation, arguments);
        };
    }

    private int present(int index) {
        if (list.isEmpty()) {
            throw new NoSuchElementException("The list is empty.");
        }
        return index;
    }

    private @Nullable Object change(ObjectOperation operation, @Nullable Object[] arguments) {
        return switch (operation) {
            case SET -> list.set((int) arguments[0], arguments[1]);
            case ADD -> list.add(arguments[0]);
            case ADD_ALL -> list.addAll((Collection<?>) arguments[0]);
            case INSERT_ALL -> list.addAll((int) arguments[0], (Collection<?>) arguments[1]);
            case REMOVE_AT -> list.remove((int) arguments[0]);
            case REMOVE_FIRST -> list.remove(present(0));
            case REMOVE_LAST -> list.remove(present(list.size() - 1));
            case REMOVE -> list.remove(arguments[0]);
            case REMOVE_ALL -> list.removeAll((Collection<?>) arguments[0]);
            case RETAIN_ALL -> list.retainAll((Collection<?>) arguments[0]);
            case REMOVE_IF -> list.removeIf((Predicate<Object>) arguments[0]);
            default -> {
                changeSilently(operation, arguments);
                yield null;
            }
        };
    }

    private void changeSilently(ObjectOperation operation, @Nullable Object[] arguments) {
        switch (operation) {
            case INSERT -> list.add((int) arguments[0], arguments[1]);
            case CLEAR -> list.clear();
            case REPLACE_ALL -> list.replaceAll((UnaryOperator<Object>) arguments[0]);
            case SORT -> list.sort((Comparator<Object>) arguments[0]);
            default -> throw Target.unknown(operation);
        }
    }
}
