// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared.host;

import io.fiber.function.RemoteFunction;
import java.util.ArrayList;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A map or a namespace. */
@SuppressWarnings({"unchecked", "NullAway"}) // arguments are what the proxy sends; keys and values may be null
record MapTarget(Map<Object, Object> map) implements Target {

    @Override
    public @Nullable Object call(ObjectOperation operation, @Nullable Object[] arguments) throws Exception {
        return switch (operation) {
            case SIZE -> map.size();
            case GET -> map.get(arguments[0]);
            case GET_OR_DEFAULT -> map.getOrDefault(arguments[0], arguments[1]);
            case GET_PRESENT -> present(arguments[0]);
            case CONTAINS -> map.containsKey(arguments[0]);
            case CONTAINS_VALUE -> map.containsValue(arguments[0]);
            case KEYS -> new ArrayList<>(map.keySet());
            case SNAPSHOT -> map;
            case CALL -> ((RemoteFunction<Object, Object>) arguments[0]).apply(map);
            case PUT -> map.put(arguments[0], arguments[1]);
            case PUT_IF_ABSENT -> map.putIfAbsent(arguments[0], arguments[1]);
            case REMOVE -> map.remove(arguments[0]);
            case REMOVE_ENTRY -> map.remove(arguments[0], arguments[1]);
            case REMOVE_KEY -> {
                boolean present = map.containsKey(arguments[0]);
                map.remove(arguments[0]);
                yield present;
            }
            case REPLACE -> map.replace(arguments[0], arguments[1]);
            case REPLACE_IF -> map.replace(arguments[0], arguments[1], arguments[2]);
            case PUT_ALL -> {
                map.putAll((Map<?, ?>) arguments[0]);
                yield null;
            }
            case CLEAR -> {
                map.clear();
                yield null;
            }
            case COMPUTE_IF_ABSENT -> map.computeIfAbsent(arguments[0], (Function<Object, Object>) arguments[1]);
            case COMPUTE_IF_PRESENT ->
                map.computeIfPresent(arguments[0], (BiFunction<Object, Object, Object>) arguments[1]);
            case COMPUTE -> map.compute(arguments[0], (BiFunction<Object, Object, Object>) arguments[1]);
            case MERGE -> map.merge(arguments[0], arguments[1], (BiFunction<Object, Object, Object>) arguments[2]);
            case REPLACE_ALL -> {
                map.replaceAll((BiFunction<Object, Object, Object>) arguments[0]);
                yield null;
            }
            default -> throw Target.unknown(operation);
        };
    }

    private @Nullable Object present(@Nullable Object key) {
        if (!map.containsKey(key)) {
            throw new NoSuchElementException("The map has no key '" + key + "'; its keys are " + map.keySet() + ".");
        }
        return map.get(key);
    }
}
