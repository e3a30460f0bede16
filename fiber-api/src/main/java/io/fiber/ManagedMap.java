// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import io.fiber.function.RemoteFunction;
import io.fiber.function.SerializableBiFunction;
import io.fiber.function.SerializableFunction;
import java.io.Serializable;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A map that lives in the process of a {@link Manager} and keeps the order in which keys were added. Each method is one
 * call that runs there alone and is therefore atomic, except iteration, views, {@code equals}, {@code hashCode} and
 * {@code toString}. Keys and values travel as copies. If a value is a list, set or map of the JDK, you receive a copy
 * that rejects changes (FBR-445), because they would be lost; change the original with {@link #compute}, {@link #merge}
 * or {@link #call}. The map itself travels as an address: a task, another managed collection or a queue that receives
 * it sees the same map.
 *
 * <pre>{@code
 * ManagedMap<String, Integer> counts = manager.map();
 * pool.map(word -> counts.merge(word, 1, Integer::sum), words);
 * }</pre>
 *
 * <p>Functions run in the manager's process and must be serializable. A lambda that you pass directly is; one that was
 * declared as a plain {@link java.util.function.BiFunction} is not (FBR-201). Each iteration and each stream of this
 * map or its views fetches a whole {@link #snapshot()}, the content of one moment. Iterators and {@code removeIf}
 * remove by key; an entry's {@code setValue} calls {@link #put}.
 *
 * <p>Every method waits for the manager's process. Thread-safe.
 *
 * @param <K> type of the keys; serializable, with {@code equals} and {@code hashCode} that survive serialization
 * @param <V> type of the values; serializable
 * @see Manager for the exceptions that every method throws
 */
public interface ManagedMap<K extends @Nullable Object, V extends @Nullable Object> extends Map<K, V>, Serializable {

    /**
     * Does what {@link Map#computeIfAbsent} does, in one call to the manager's process. Returns a copy, so adding to it
     * does not change the map: see {@link #call}.
     */
    default V computeIfAbsent(K key, SerializableFunction<? super K, ? extends V> function) {
        return computeIfAbsent(key, (Function<? super K, ? extends V>) function);
    }

    /** Does what {@link Map#computeIfPresent} does, in one call to the manager's process. */
    default @Nullable V computeIfPresent(
            K key, SerializableBiFunction<? super K, ? super V, ? extends @Nullable V> function) {
        return computeIfPresent(key, (BiFunction<? super K, ? super V, ? extends @Nullable V>) function);
    }

    /** Does what {@link Map#compute} does, in one call to the manager's process. */
    default @Nullable V compute(
            K key, SerializableBiFunction<? super K, ? super @Nullable V, ? extends @Nullable V> function) {
        return compute(key, (BiFunction<? super K, ? super @Nullable V, ? extends @Nullable V>) function);
    }

    /** Does what {@link Map#merge} does, in one call to the manager's process. */
    default @Nullable V merge(
            K key, V value, SerializableBiFunction<? super V, ? super V, ? extends @Nullable V> function) {
        return merge(key, value, (BiFunction<? super V, ? super V, ? extends @Nullable V>) function);
    }

    /** Replaces each value with the result of the function for its entry. */
    default void replaceAll(SerializableBiFunction<? super K, ? super V, ? extends V> function) {
        replaceAll((BiFunction<? super K, ? super V, ? extends V>) function);
    }

    /**
     * Returns a copy of the current content as an ordinary map of this process, in the same order, whose values you may
     * change.
     */
    Map<K, V> snapshot();

    /**
     * Runs a function on the map itself, in the manager's process, while no other caller uses it.
     *
     * @param function receives the map; what it returns travels as a copy
     * @throws RemoteTaskException if the function throws
     */
    <R extends @Nullable Object> R call(RemoteFunction<? super Map<K, V>, ? extends R> function);
}
