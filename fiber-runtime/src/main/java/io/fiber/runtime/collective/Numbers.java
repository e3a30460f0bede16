// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.collective;

import io.fiber.function.FloatBinaryOperator;
import io.fiber.runtime.serialization.PrimitiveArrays;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.util.function.DoubleBinaryOperator;
import java.util.function.IntBinaryOperator;
import java.util.function.LongBinaryOperator;

/**
 * An array of numbers, and how two of them are combined. Numbers are sent in the machine's format, little endian. There
 * is a loop for each kind of number, because a JIT compiles such loops into fast code. Not thread-safe.
 */
final class Numbers {

    /** Combines {@code count} numbers, starting at {@code at}, with the first ones of an array of their kind. */
    @FunctionalInterface
    private interface Combiner {
        void combine(int at, Object arrived, int count);
    }

    private static final String[] NAMES = {"float", "double", "int", "long"};

    private final Object numbers;
    private final int kind;
    private final int length;
    private final int width;
    private final Combiner combiner;
    /** What has arrived and was not combined yet. */
    private Object arrived;

    private Numbers(Object array, int kind, int width, Combiner combiner) {
        this.numbers = array;
        this.kind = kind;
        this.length = Array.getLength(array);
        this.width = width;
        this.combiner = combiner;
        this.arrived = newArray(0);
    }

    static Numbers of(float[] array, FloatBinaryOperator operator) {
        return new Numbers(array, 0, Float.BYTES, (at, arrived, count) -> {
            float[] theirs = (float[]) arrived;
            for (int i = 0; i < count; i++) {
                array[at + i] = operator.applyAsFloat(theirs[i], array[at + i]);
            }
        });
    }

    static Numbers of(double[] array, DoubleBinaryOperator operator) {
        return new Numbers(array, 1, Double.BYTES, (at, arrived, count) -> {
            double[] theirs = (double[]) arrived;
            for (int i = 0; i < count; i++) {
                array[at + i] = operator.applyAsDouble(theirs[i], array[at + i]);
            }
        });
    }

    static Numbers of(int[] array, IntBinaryOperator operator) {
        return new Numbers(array, 2, Integer.BYTES, (at, arrived, count) -> {
            int[] theirs = (int[]) arrived;
            for (int i = 0; i < count; i++) {
                array[at + i] = operator.applyAsInt(theirs[i], array[at + i]);
            }
        });
    }

    static Numbers of(long[] array, LongBinaryOperator operator) {
        return new Numbers(array, 3, Long.BYTES, (at, arrived, count) -> {
            long[] theirs = (long[]) arrived;
            for (int i = 0; i < count; i++) {
                array[at + i] = operator.applyAsLong(theirs[i], array[at + i]);
            }
        });
    }

    static String nameOf(int kind) {
        return kind >= 0 && kind < NAMES.length ? NAMES[kind] : "unknown";
    }

    int kind() {
        return kind;
    }

    int length() {
        return length;
    }

    int width() {
        return width;
    }

    /** Puts as many numbers as fit, starting at {@code at}. */
    void put(int at, ByteBuffer target) {
        PrimitiveArrays.encode(numbers, at, target.remaining() / width, target);
        target.position(target.limit());
    }

    /** Combines the numbers that start at {@code at} with those that have arrived. */
    void combine(int at, ByteBuffer source) {
        int count = source.remaining() / width;
        if (Array.getLength(arrived) < count) {
            arrived = newArray(count);
        }
        PrimitiveArrays.decode(source, arrived, 0, count);
        combiner.combine(at, arrived, count);
    }

    /** Replaces the numbers that start at {@code at} by those that have arrived. */
    void replace(int at, ByteBuffer source) {
        PrimitiveArrays.decode(source, numbers, at, source.remaining() / width);
    }

    private Object newArray(int count) {
        return Array.newInstance(numbers.getClass().getComponentType(), count);
    }
}
