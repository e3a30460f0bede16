// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A hash map in the order of insertion that can be walked from any place on, while it changes: each key has a number that
 * grows. Not thread-safe.
 */
@SuppressWarnings("NullAway") // keys and values may be null
final class OrderedMap extends AbstractMap<Object, Object> {

    /** An entry with its place. */
    static final class Node extends SimpleEntry<Object, Object> {
        private static final long serialVersionUID = 1L;

        private final long place;

        Node(long place, @Nullable Object key, @Nullable Object value) {
            super(key, value);
            this.place = place;
        }

        long place() {
            return place;
        }
    }

    private final Map<Object, Node> nodes = new HashMap<>();
    private final NavigableMap<Long, Node> places = new TreeMap<>();
    private long nextPlace;

    /** Returns the entries whose places are not before this one, in their order. */
    Iterator<Node> from(long place) {
        return places.tailMap(place, true).values().iterator();
    }

    @Override
    public @Nullable Object get(@Nullable Object key) {
        Node node = nodes.get(key);
        return node == null ? null : node.getValue();
    }

    @Override
    public boolean containsKey(@Nullable Object key) {
        return nodes.containsKey(key);
    }

    @Override
    public @Nullable Object put(@Nullable Object key, @Nullable Object value) {
        Node node = nodes.get(key);
        if (node != null) {
            return node.setValue(value);
        }
        Node added = new Node(nextPlace++, key, value);
        nodes.put(key, added);
        places.put(added.place(), added);
        return null;
    }

    @Override
    public @Nullable Object remove(@Nullable Object key) {
        Node node = nodes.remove(key);
        if (node == null) {
            return null;
        }
        places.remove(node.place());
        return node.getValue();
    }

    @Override
    public Set<Map.Entry<Object, Object>> entrySet() {
        return new AbstractSet<>() {
            @Override
            public Iterator<Map.Entry<Object, Object>> iterator() {
                return entries();
            }

            @Override
            public int size() {
                return nodes.size();
            }

            @Override
            public void clear() {
                nodes.clear();
                places.clear();
            }
        };
    }

    private Iterator<Map.Entry<Object, Object>> entries() {
        Iterator<Node> all = places.values().iterator();
        return new Iterator<>() {
            private @Nullable Node last;

            @Override
            public boolean hasNext() {
                return all.hasNext();
            }

            @Override
            public Map.Entry<Object, Object> next() {
                Node next = all.next();
                last = next;
                return next;
            }

            @Override
            public void remove() {
                all.remove();
                if (last != null) {
                    nodes.remove(last.getKey());
                }
            }
        };
    }
}
