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
 * An array of numbers and how two of them are combined. Numbers travel as the machine has them, little endian; a loop over
 * an array of one kind is what a JIT makes fast, so there is one for each kind. Belongs to one thread.
 */
abstract sealed class Numbers {

    private static final String[] NAMES = {"float", "double", "int", "long"};

    private final Object numbers;
    private final int kind;
    private final int length;
    private final int width;

    private Numbers(Object array, int kind, int width) {
        this.numbers = array;
        this.kind = kind;
        this.length = Array.getLength(array);
        this.width = width;
    }

    static String nameOf(int kind) {
        return kind >= 0 && kind < NAMES.length ? NAMES[kind] : "unknown";
    }

    /** Returns which kind it is, as it travels. */
    final int kind() {
        return kind;
    }

    final int length() {
        return length;
    }

    /** Returns how many bytes one number takes. */
    final int width() {
        return width;
    }

    /** Puts numbers from {@code at} on, as many as fit. */
    final void put(int at, ByteBuffer target) {
        PrimitiveArrays.encode(numbers, at, target.remaining() / width, target);
        target.position(target.limit());
    }

    /** Combines the numbers from {@code at} on with those that have arrived. */
    abstract void combine(int at, ByteBuffer source);

    /** Replaces the numbers from {@code at} on by those that have arrived. */
    final void replace(int at, ByteBuffer source) {
        PrimitiveArrays.decode(source, numbers, at, source.remaining() / width);
    }

    static final class Floats extends Numbers {
        private final float[] array;
        private final FloatBinaryOperator operator;
        private float[] arrived = {};

        Floats(float[] array, FloatBinaryOperator operator) {
            super(array, 0, Float.BYTES);
            this.array = array;
            this.operator = operator;
        }

        @Override
        void combine(int at, ByteBuffer source) {
            int count = source.remaining() / Float.BYTES;
            if (arrived.length < count) {
                arrived = new float[count];
            }
            source.asFloatBuffer().get(arrived, 0, count);
            combine(array, at, arrived, count, operator);
        }

        private static void combine(float[] mine, int at, float[] theirs, int count, FloatBinaryOperator operator) {
            for (int i = 0; i < count; i++) {
                mine[at + i] = operator.applyAsFloat(theirs[i], mine[at + i]);
            }
        }
    }

    static final class Doubles extends Numbers {
        private final double[] array;
        private final DoubleBinaryOperator operator;
        private double[] arrived = {};

        Doubles(double[] array, DoubleBinaryOperator operator) {
            super(array, 1, Double.BYTES);
            this.array = array;
            this.operator = operator;
        }

        @Override
        void combine(int at, ByteBuffer source) {
            int count = source.remaining() / Double.BYTES;
            if (arrived.length < count) {
                arrived = new double[count];
            }
            source.asDoubleBuffer().get(arrived, 0, count);
            combine(array, at, arrived, count, operator);
        }

        private static void combine(double[] mine, int at, double[] theirs, int count, DoubleBinaryOperator operator) {
            for (int i = 0; i < count; i++) {
                mine[at + i] = operator.applyAsDouble(theirs[i], mine[at + i]);
            }
        }
    }

    static final class Ints extends Numbers {
        private final int[] array;
        private final IntBinaryOperator operator;
        private int[] arrived = {};

        Ints(int[] array, IntBinaryOperator operator) {
            super(array, 2, Integer.BYTES);
            this.array = array;
            this.operator = operator;
        }

        @Override
        void combine(int at, ByteBuffer source) {
            int count = source.remaining() / Integer.BYTES;
            if (arrived.length < count) {
                arrived = new int[count];
            }
            source.asIntBuffer().get(arrived, 0, count);
            combine(array, at, arrived, count, operator);
        }

        private static void combine(int[] mine, int at, int[] theirs, int count, IntBinaryOperator operator) {
            for (int i = 0; i < count; i++) {
                mine[at + i] = operator.applyAsInt(theirs[i], mine[at + i]);
            }
        }
    }

    static final class Longs extends Numbers {
        private final long[] array;
        private final LongBinaryOperator operator;
        private long[] arrived = {};

        Longs(long[] array, LongBinaryOperator operator) {
            super(array, 3, Long.BYTES);
            this.array = array;
            this.operator = operator;
        }

        @Override
        void combine(int at, ByteBuffer source) {
            int count = source.remaining() / Long.BYTES;
            if (arrived.length < count) {
                arrived = new long[count];
            }
            source.asLongBuffer().get(arrived, 0, count);
            combine(array, at, arrived, count, operator);
        }

        private static void combine(long[] mine, int at, long[] theirs, int count, LongBinaryOperator operator) {
            for (int i = 0; i < count; i++) {
                mine[at + i] = operator.applyAsLong(theirs[i], mine[at + i]);
            }
        }
    }
}
