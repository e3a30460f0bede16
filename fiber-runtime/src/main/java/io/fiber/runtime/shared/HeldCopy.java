// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import io.fiber.runtime.logging.Logs;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Copies of values that a manager goes on holding: a change of such a copy would be lost. The JDK's usual collections refuse
 * it; for its other types that exist to be changed a warning is logged, once for each type. A copy is of the class that the value has, or
 * extends it, so a caller that declared that class gets it. It travels as an ordinary collection.
 */
final class HeldCopy {

    /** Collections that are nested deeper stay as they are: one may contain itself. */
    private static final int GREATEST_DEPTH = 8;

    private static final String REFUSED = "FBR-445 This is a copy of a value that a manager holds, so a change to it"
            + " would be lost. Change the value in the manager: map.compute(key, ...), map.merge(...),"
            + " value.updateAndGet(...) and call(...) run a function there. Or change a copy of your own, such as new"
            + " ArrayList<>(value), and put it back.";

    private static final Class<?> ARRAY_AS_LIST = Arrays.asList(0).getClass();

    /** Of these, a change fails anyway, or each class inside decides. */
    private static final Set<String> IMMUTABLE = Set.of("java.util.ImmutableCollections", "java.util.Collections");

    private static final Set<String> WARNED_OF = ConcurrentHashMap.newKeySet();

    private HeldCopy() {}

    /** Returns what a caller gets of this value, which was read for it. */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals", "NullAway"}) // the class stays what it was
    static <T extends @Nullable Object> T of(@Nullable Object value) {
        if (value instanceof StringBuilder
                || value instanceof StringBuffer
                || value instanceof BitSet
                || (value != null && value.getClass().getName().startsWith("java.util.concurrent.atomic."))) {
            warnOf(value);
        }
        return (T) of(value, 0);
    }

    /** Does what {@link #of(Object)} does, for a caller that may have made the value to fill it. */
    @SuppressWarnings("TypeParameterUnusedInFormals")
    static <T extends @Nullable Object> T ofMade(@Nullable Object value) {
        T copy = of(value);
        if (copy == value
                && (value instanceof Collection || value instanceof Map)
                && value.getClass().getName().startsWith("java.util.")
                && !IMMUTABLE.contains(value.getClass().getNestHost().getName())) {
            warnOf(value);
        }
        return copy;
    }

    private static @Nullable Object of(@Nullable Object value, int depth) {
        if (value == null || depth == GREATEST_DEPTH) {
            return value;
        }
        Class<?> type = value.getClass();
        if (type == ArrayList.class || type == ARRAY_AS_LIST) {
            List<@Nullable Object> copy = new ArrayList<>((List<?>) value);
            copy.replaceAll(element -> of(element, depth + 1));
            return new HeldList<>(copy);
        }
        if (type == HashSet.class || type == LinkedHashSet.class) {
            return new HeldSet<>((Set<?>) value);
        }
        if (type == HashMap.class || type == LinkedHashMap.class) {
            Map<Object, @Nullable Object> copy = new LinkedHashMap<>((Map<?, ?>) value);
            copy.replaceAll((key, held) -> of(held, depth + 1));
            return new HeldMap<>(copy);
        }
        return value;
    }

    private static void warnOf(Object value) {
        String type = value.getClass().getName();
        if (WARNED_OF.add(type)) {
            Logs.of(HeldCopy.class)
                    .log(
                            System.Logger.Level.WARNING,
                            "FBR-445 A manager handed out a copy of a " + type
                                    + ". Changes to the copy are lost. Change the value in the manager:"
                                    + " map.compute(key, ...), map.merge(...), value.updateAndGet(...) and call(...)"
                                    + " run a function there. Fiber says this once for each type.");
        }
    }

    private static UnsupportedOperationException refused() {
        return new UnsupportedOperationException(REFUSED);
    }

    private static final class HeldList<E extends @Nullable Object> extends ArrayList<E> {
        private static final long serialVersionUID = 1L;

        HeldList(Collection<? extends E> elements) {
            super(elements);
        }

        private Object writeReplace() {
            return new ArrayList<>(this);
        }

        @Override
        public Object clone() {
            return new ArrayList<>(this);
        }

        @Override
        public boolean add(E element) {
            throw refused();
        }

        @Override
        public void add(int index, E element) {
            throw refused();
        }

        @Override
        public boolean addAll(Collection<? extends E> elements) {
            throw refused();
        }

        @Override
        public boolean addAll(int index, Collection<? extends E> elements) {
            throw refused();
        }

        @Override
        public E set(int index, E element) {
            throw refused();
        }

        @Override
        public E remove(int index) {
            throw refused();
        }

        @Override
        public boolean remove(@Nullable Object element) {
            throw refused();
        }

        // It overrides a method of Java 21.
        @SuppressWarnings({"UnusedMethod", "DoNotCallSuggester", "EffectivelyPrivate"})
        public E removeFirst() {
            throw refused();
        }

        @SuppressWarnings({"UnusedMethod", "DoNotCallSuggester", "EffectivelyPrivate"})
        public E removeLast() {
            throw refused();
        }

        @Override
        public boolean removeAll(Collection<?> elements) {
            throw refused();
        }

        @Override
        public boolean retainAll(Collection<?> elements) {
            throw refused();
        }

        @Override
        public boolean removeIf(Predicate<? super E> filter) {
            throw refused();
        }

        @Override
        public void replaceAll(UnaryOperator<E> operator) {
            throw refused();
        }

        @Override
        public void sort(@Nullable Comparator<? super E> order) {
            throw refused();
        }

        @Override
        public void clear() {
            throw refused();
        }

        @Override
        public List<E> subList(int from, int to) {
            return Collections.unmodifiableList(super.subList(from, to));
        }
    }

    private static final class HeldSet<E extends @Nullable Object> extends LinkedHashSet<E> {
        private static final long serialVersionUID = 1L;

        /** False while the constructor of the superclass adds the elements. */
        private final boolean isFilled;

        HeldSet(Collection<? extends E> elements) {
            super(elements);
            isFilled = true;
        }

        private Object writeReplace() {
            return new LinkedHashSet<>(this);
        }

        @Override
        public Object clone() {
            return new LinkedHashSet<>(this);
        }

        @Override
        public boolean add(E element) {
            if (isFilled) {
                throw refused();
            }
            return super.add(element);
        }

        @Override
        public boolean remove(@Nullable Object element) {
            throw refused();
        }

        @Override
        public boolean removeIf(Predicate<? super E> filter) {
            throw refused();
        }

        @Override
        public boolean removeAll(Collection<?> elements) {
            throw refused();
        }

        @Override
        public boolean retainAll(Collection<?> elements) {
            throw refused();
        }

        // These override methods of Java 21.
        @SuppressWarnings({"UnusedMethod", "UnusedVariable", "DoNotCallSuggester", "EffectivelyPrivate"})
        public void addFirst(E element) {
            throw refused();
        }

        @SuppressWarnings({"UnusedMethod", "UnusedVariable", "DoNotCallSuggester", "EffectivelyPrivate"})
        public void addLast(E element) {
            throw refused();
        }

        @SuppressWarnings({"UnusedMethod", "DoNotCallSuggester", "EffectivelyPrivate"})
        public E removeFirst() {
            throw refused();
        }

        @SuppressWarnings({"UnusedMethod", "DoNotCallSuggester", "EffectivelyPrivate"})
        public E removeLast() {
            throw refused();
        }

        @Override
        public void clear() {
            throw refused();
        }

        @Override
        public Iterator<E> iterator() {
            Iterator<E> elements = super.iterator();
            return new Iterator<>() {
                @Override
                public boolean hasNext() {
                    return elements.hasNext();
                }

                @Override
                public E next() {
                    return elements.next();
                }

                @Override
                public void remove() {
                    throw refused();
                }
            };
        }
    }

    private static final class HeldMap<K extends @Nullable Object, V extends @Nullable Object>
            extends LinkedHashMap<K, V> {
        private static final long serialVersionUID = 1L;

        /** The same entries, for views. */
        private final transient Map<K, V> entries;

        HeldMap(Map<K, V> entries) {
            super(entries);
            this.entries = entries;
        }

        private Object writeReplace() {
            return entries;
        }

        @Override
        public Object clone() {
            return new LinkedHashMap<>(entries);
        }

        @Override
        public V put(K key, V value) {
            throw refused();
        }

        @Override
        public void putAll(Map<? extends K, ? extends V> entries) {
            throw refused();
        }

        @Override
        public V putIfAbsent(K key, V value) {
            throw refused();
        }

        @Override
        public V remove(@Nullable Object key) {
            throw refused();
        }

        @Override
        public boolean remove(@Nullable Object key, @Nullable Object value) {
            throw refused();
        }

        @Override
        public V replace(K key, V value) {
            throw refused();
        }

        @Override
        public boolean replace(K key, V expected, V value) {
            throw refused();
        }

        @Override
        public void replaceAll(BiFunction<? super K, ? super V, ? extends V> function) {
            throw refused();
        }

        @Override
        public V computeIfAbsent(K key, Function<? super K, ? extends V> function) {
            throw refused();
        }

        @Override
        public V computeIfPresent(K key, BiFunction<? super K, ? super V, ? extends V> function) {
            throw refused();
        }

        @Override
        public V compute(K key, BiFunction<? super K, ? super V, ? extends V> function) {
            throw refused();
        }

        @Override
        public V merge(K key, V value, BiFunction<? super V, ? super V, ? extends V> function) {
            throw refused();
        }

        @Override
        public void clear() {
            throw refused();
        }

        @Override
        public Set<K> keySet() {
            return Collections.unmodifiableMap(entries).keySet();
        }

        @Override
        public Collection<V> values() {
            return Collections.unmodifiableMap(entries).values();
        }

        @Override
        public Set<Map.Entry<K, V>> entrySet() {
            return Collections.unmodifiableMap(entries).entrySet();
        }
    }
}
