// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import io.fiber.runtime.pool.scheduling.Answer;
import io.fiber.runtime.protocol.PayloadInput;
import java.io.Serializable;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.RandomAccess;
import org.jspecify.annotations.Nullable;

/**
 * The results of a map, each in its place. As long as all of them are ints they are kept as such: ten million boxes would
 * cost the collector of garbage more than reading them costs. Used by one thread at a time.
 */
final class ResultArray implements ResultSink {

    private static final int FIRST_CAPACITY = 16;

    private int[] ints = new int[FIRST_CAPACITY];
    private @Nullable Object @Nullable [] objects;
    private int size;

    @Override
    public void add(Answer.Block block, ResultReader reader) {
        PayloadInput in = reader.open(block);
        int first = Math.toIntExact(block.firstIndex());
        reserve(first + block.count());
        int done = objects == null ? reader.readInts(in, ints, first, block.count()) : 0;
        for (int i = done; i < block.count(); i++) {
            set(first + i, reader.read(in, block, block.firstIndex() + i));
        }
    }

    void reserve(int length) {
        if (length > ints.length && objects == null) {
            ints = Arrays.copyOf(ints, Math.max(length, ints.length * 2));
        } else if (objects != null && length > objects.length) {
            objects = Arrays.copyOf(objects, Math.max(length, objects.length * 2));
        }
        size = Math.max(size, length);
    }

    /** Puts a result in its place, for which room was made. */
    void set(int index, @Nullable Object value) {
        @Nullable Object @Nullable [] current = objects;
        if (current == null) {
            if (value instanceof Integer number) {
                ints[index] = number;
                return;
            }
            current = boxed();
            objects = current;
        }
        current[index] = value;
    }

    /** Places that have no result yet hold a number that no caller sees. */
    private @Nullable Object[] boxed() {
        @Nullable Object[] boxes = new @Nullable Object[ints.length];
        for (int i = 0; i < size; i++) {
            boxes[i] = ints[i];
        }
        ints = new int[0];
        return boxes;
    }

    /** Returns all results; nothing may be put here afterwards. */
    List<@Nullable Object> toList() {
        @Nullable Object @Nullable [] current = objects;
        if (current == null) {
            return Collections.unmodifiableList(new Ints(size == ints.length ? ints : Arrays.copyOf(ints, size)));
        }
        return Collections.unmodifiableList(
                Arrays.asList(size == current.length ? current : Arrays.copyOf(current, size)));
    }

    /** Numbers that are boxed when they are asked for. Travels as a list of the JDK. */
    private static final class Ints extends AbstractList<@Nullable Object> implements RandomAccess, Serializable {
        private static final long serialVersionUID = 1;

        private final transient int[] values;

        Ints(int[] values) {
            this.values = values;
        }

        @Override
        public Object get(int index) {
            return values[index];
        }

        @Override
        public int size() {
            return values.length;
        }

        private Object writeReplace() {
            return new ArrayList<>(this);
        }
    }
}
