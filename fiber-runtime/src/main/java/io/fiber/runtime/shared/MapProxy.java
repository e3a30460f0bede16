// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import io.fiber.ManagedMap;
import io.fiber.function.RemoteFunction;
import io.fiber.runtime.shared.host.Kind;
import io.fiber.runtime.shared.host.ObjectOperation;
import java.io.Serializable;
import java.util.AbstractCollection;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.Spliterator;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A managed map as a program holds it. Thread-safe. */
@SuppressWarnings({"unchecked", "NullAway"}) // keys and values are what was put in, null where they may be
final class MapProxy<K extends @Nullable Object, V extends @Nullable Object> extends AbstractMap<K, V>
        implements ManagedMap<K, V>, Serializable {
    private static final long serialVersionUID = 1L;

    private final transient RemoteObject remote;

    MapProxy(RemoteObject remote) {
        this.remote = remote;
    }

    private Object writeReplace() {
        return ObjectHandle.of(Kind.MAP, remote);
    }

    private V value(ObjectOperation operation, @Nullable Object... arguments) {
        return (V) remote.call(operation, arguments);
    }

    private boolean test(ObjectOperation operation, @Nullable Object... arguments) {
        return (boolean) remote.call(operation, arguments);
    }

    @Override
    public int size() {
        return (int) remote.call(ObjectOperation.SIZE);
    }

    @Override
    public V get(@Nullable Object key) {
        return HeldCopy.of(value(ObjectOperation.GET, key));
    }

    @Override
    public V getOrDefault(@Nullable Object key, V otherwise) {
        return HeldCopy.of(value(ObjectOperation.GET_OR_DEFAULT, key, otherwise));
    }

    @Override
    public boolean containsKey(@Nullable Object key) {
        return test(ObjectOperation.CONTAINS, key);
    }

    @Override
    public boolean containsValue(@Nullable Object value) {
        return test(ObjectOperation.CONTAINS_VALUE, value);
    }

    @Override
    public V put(K key, V value) {
        return value(ObjectOperation.PUT, key, value);
    }

    @Override
    public V putIfAbsent(K key, V value) {
        return HeldCopy.of(value(ObjectOperation.PUT_IF_ABSENT, key, value));
    }

    @Override
    public void putAll(Map<? extends K, ? extends V> entries) {
        remote.call(ObjectOperation.PUT_ALL, new LinkedHashMap<>(entries));
    }

    @Override
    public V remove(@Nullable Object key) {
        return value(ObjectOperation.REMOVE, key);
    }

    @Override
    public boolean remove(@Nullable Object key, @Nullable Object value) {
        return test(ObjectOperation.REMOVE_ENTRY, key, value);
    }

    @Override
    public V replace(K key, V value) {
        return value(ObjectOperation.REPLACE, key, value);
    }

    @Override
    public boolean replace(K key, V expected, V value) {
        return test(ObjectOperation.REPLACE_IF, key, expected, value);
    }

    @Override
    public void clear() {
        remote.call(ObjectOperation.CLEAR);
    }

    @Override
    public V computeIfAbsent(K key, Function<? super K, ? extends V> function) {
        return HeldCopy.ofMade(
                value(ObjectOperation.COMPUTE_IF_ABSENT, key, Objects.requireNonNull(function, "function")));
    }

    @Override
    public V computeIfPresent(K key, BiFunction<? super K, ? super V, ? extends V> function) {
        return HeldCopy.of(
                value(ObjectOperation.COMPUTE_IF_PRESENT, key, Objects.requireNonNull(function, "function")));
    }

    @Override
    public V compute(K key, BiFunction<? super K, ? super V, ? extends V> function) {
        return HeldCopy.of(value(ObjectOperation.COMPUTE, key, Objects.requireNonNull(function, "function")));
    }

    @Override
    public V merge(K key, V value, BiFunction<? super V, ? super V, ? extends V> function) {
        return HeldCopy.of(value(ObjectOperation.MERGE, key, value, Objects.requireNonNull(function, "function")));
    }

    @Override
    public void replaceAll(BiFunction<? super K, ? super V, ? extends V> function) {
        remote.call(ObjectOperation.REPLACE_ALL, Objects.requireNonNull(function, "function"));
    }

    @Override
    public Map<K, V> snapshot() {
        return (Map<K, V>) remote.call(ObjectOperation.SNAPSHOT);
    }

    /** Returns a snapshot for views, which hand out values that the manager holds. */
    Map<K, V> held() {
        Map<K, V> entries = snapshot();
        entries.replaceAll((key, value) -> HeldCopy.of(value));
        return entries;
    }

    @Override
    public <R extends @Nullable Object> R call(RemoteFunction<? super Map<K, V>, ? extends R> function) {
        return (R) remote.call(ObjectOperation.CALL, Objects.requireNonNull(function, "function"));
    }

    @Override
    public Set<Map.Entry<K, V>> entrySet() {
        return new EntriesProxy<>(this);
    }

    @Override
    public Set<K> keySet() {
        Set<K> keys = super.keySet();
        return new AbstractSet<>() {
            @Override
            public int size() {
                return MapProxy.this.size();
            }

            @Override
            public boolean contains(@Nullable Object key) {
                return containsKey(key);
            }

            @Override
            public boolean remove(@Nullable Object key) {
                return test(ObjectOperation.REMOVE_KEY, key);
            }

            @Override
            public void clear() {
                MapProxy.this.clear();
            }

            @Override
            public Iterator<K> iterator() {
                return keys.iterator();
            }

            @Override
            public Spliterator<K> spliterator() {
                return snapshot().keySet().spliterator();
            }
        };
    }

    @Override
    public Collection<V> values() {
        Collection<V> values = super.values();
        return new AbstractCollection<>() {
            @Override
            public int size() {
                return MapProxy.this.size();
            }

            @Override
            public boolean contains(@Nullable Object value) {
                return containsValue(value);
            }

            @Override
            public void clear() {
                MapProxy.this.clear();
            }

            @Override
            public Iterator<V> iterator() {
                return values.iterator();
            }

            @Override
            public Spliterator<V> spliterator() {
                return held().values().spliterator();
            }
        };
    }
}
