// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import java.util.Spliterator;
import org.jspecify.annotations.Nullable;

/** The entries of a managed map. Thread-safe; its iterators are not. */
@SuppressWarnings({"unchecked", "NullAway"}) // keys and values are what was put in, null where they may be
final class EntriesProxy<K extends @Nullable Object, V extends @Nullable Object> extends AbstractSet<Map.Entry<K, V>> {

    private final MapProxy<K, V> map;

    EntriesProxy(MapProxy<K, V> map) {
        this.map = map;
    }

    @Override
    public int size() {
        return map.size();
    }

    @Override
    public void clear() {
        map.clear();
    }

    @Override
    public boolean contains(@Nullable Object entry) {
        if (!(entry instanceof Map.Entry<?, ?> each)) {
            return false;
        }
        Object value = map.get(each.getKey());
        return Objects.equals(value, each.getValue()) && (value != null || map.containsKey(each.getKey()));
    }

    @Override
    public boolean remove(@Nullable Object entry) {
        return entry instanceof Map.Entry<?, ?> each && map.remove(each.getKey(), each.getValue());
    }

    @Override
    public Spliterator<Map.Entry<K, V>> spliterator() {
        return map.held().entrySet().stream()
                .<Map.Entry<K, V>>map(WrittenThrough::new)
                .spliterator();
    }

    @Override
    public Iterator<Map.Entry<K, V>> iterator() {
        Iterator<Map.Entry<K, V>> entries = map.held().entrySet().iterator();
        return new Iterator<>() {
            private Map.@Nullable Entry<K, V> last;

            @Override
            public boolean hasNext() {
                return entries.hasNext();
            }

            @Override
            public Map.Entry<K, V> next() {
                Map.Entry<K, V> next = new WrittenThrough(entries.next());
                last = next;
                return next;
            }

            @Override
            public void remove() {
                if (last == null) {
                    throw new IllegalStateException("FBR-306 There is no entry to remove; call next() first.");
                }
                map.remove(last.getKey());
                last = null;
            }
        };
    }

    private final class WrittenThrough extends AbstractMap.SimpleEntry<K, V> {
        private static final long serialVersionUID = 1L;

        WrittenThrough(Map.Entry<K, V> entry) {
            super(entry);
        }

        @Override
        public V setValue(V value) {
            map.put(getKey(), value);
            return super.setValue(value);
        }

        private Object writeReplace() {
            return new AbstractMap.SimpleEntry<>(this);
        }
    }
}
