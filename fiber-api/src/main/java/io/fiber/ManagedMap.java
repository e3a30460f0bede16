// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import io.fiber.function.RemoteFunction;
import io.fiber.function.SerializableBiFunction;
import io.fiber.function.SerializableFunction;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A map that lives in the process of a {@link Manager}, in the order in which its keys came. Each method is one call that
 * runs there alone, so it is atomic, except iteration, views, {@code equals}, {@code hashCode} and {@code toString}; keys and
 * values travel as copies. A list, set or map of the JDK among the values is handed out as a copy that refuses changes
 * (FBR-445), which would be lost: change it by {@link #compute}, {@link #merge} or {@link #call}. The map travels itself as an address: a task, another managed collection or a queue that gets it sees the same map.
 *
 * <pre>{@code
 * ManagedMap<String, Integer> counts = manager.map();
 * pool.map(word -> counts.merge(word, 1, Integer::sum), words);
 * }</pre>
 *
 * <p>Functions run at the host and must be serializable: a lambda given directly is, one that was declared as a plain
 * {@link java.util.function.BiFunction} is not (FBR-201). Each iteration and each stream of this map or its views fetches a
 * {@link #snapshot()}, the content of one moment, whole. Iterators and {@code removeIf} remove by the key; an entry's
 * {@code setValue} is a {@link #put}.
 *
 * <p>Thread-safe. Every method waits for the host.
 *
 * @param <K> must be serializable, with {@code equals} and {@code hashCode} that survive serialization
 * @param <V> must be serializable
 * @see Manager for the exceptions that every method throws
 */
public interface ManagedMap<K extends @Nullable Object, V extends @Nullable Object> extends Map<K, V> {

    /**
     * Does what {@link Map#computeIfAbsent} does, at the host in one call. Returns a copy, so it is of no use to add to it: see
     * {@link #call}.
     */
    default V computeIfAbsent(K key, SerializableFunction<? super K, ? extends V> function) {
        return computeIfAbsent(key, (Function<? super K, ? extends V>) function);
    }

    /** Does what {@link Map#computeIfPresent} does, at the host in one call. */
    default @Nullable V computeIfPresent(
            K key, SerializableBiFunction<? super K, ? super V, ? extends @Nullable V> function) {
        return computeIfPresent(key, (BiFunction<? super K, ? super V, ? extends @Nullable V>) function);
    }

    /** Does what {@link Map#compute} does, at the host in one call. */
    default @Nullable V compute(
            K key, SerializableBiFunction<? super K, ? super @Nullable V, ? extends @Nullable V> function) {
        return compute(key, (BiFunction<? super K, ? super @Nullable V, ? extends @Nullable V>) function);
    }

    /** Does what {@link Map#merge} does, at the host in one call. */
    default @Nullable V merge(
            K key, V value, SerializableBiFunction<? super V, ? super V, ? extends @Nullable V> function) {
        return merge(key, value, (BiFunction<? super V, ? super V, ? extends @Nullable V>) function);
    }

    /** Replaces each value by what a function returns for its entry. */
    default void replaceAll(SerializableBiFunction<? super K, ? super V, ? extends V> function) {
        replaceAll((BiFunction<? super K, ? super V, ? extends V>) function);
    }

    /** Returns a copy of the map as it is now, an ordinary map of this process in the same order; its values can be changed. */
    Map<K, V> snapshot();

    /**
     * Runs a function on the map itself, at its host, while no other caller uses it.
     *
     * @param function gets the map; what it returns travels as a copy
     * @throws RemoteTaskException what the function threw
     */
    <R extends @Nullable Object> R call(RemoteFunction<? super Map<K, V>, ? extends R> function);
}
