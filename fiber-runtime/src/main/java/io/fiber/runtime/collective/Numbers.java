// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.collective;

import io.fiber.function.FloatBinaryOperator;
import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.util.function.DoubleBinaryOperator;
import java.util.function.IntBinaryOperator;
import java.util.function.LongBinaryOperator;

/**
 * An array of numbers and how two of them are combined. Numbers travel as the machine has them, little endian; a loop over
 * an array of one kind is what a JIT makes fast, so there is one for each kind. Belongs to one thread.
 */
abstract sealed class Numbers {

    private static final String[] NAMES = {"float", "double", "int", "long"};

    private final int kind;
    private final int length;
    private final int width;

    private Numbers(int kind, int length, int width) {
        this.kind = kind;
        this.length = length;
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
    abstract void put(int at, ByteBuffer target);

    /** Combines the numbers from {@code at} on with those that have arrived. */
    abstract void combine(int at, ByteBuffer source);

    /** Replaces the numbers from {@code at} on by those that have arrived. */
    abstract void replace(int at, ByteBuffer source);

    static final class Floats extends Numbers {
        private final float[] array;
        private final FloatBinaryOperator operator;
        private float[] arrived = {};

        Floats(float[] array, FloatBinaryOperator operator) {
            super(0, array.length, Float.BYTES);
            this.array = array;
            this.operator = operator;
        }

        @Override
        void put(int at, ByteBuffer target) {
            FloatBuffer numbers = target.asFloatBuffer();
            numbers.put(array, at, numbers.remaining());
            target.position(target.limit());
        }

        @Override
        void combine(int at, ByteBuffer source) {
            FloatBuffer numbers = source.asFloatBuffer();
            int count = numbers.remaining();
            if (arrived.length < count) {
                arrived = new float[count];
            }
            numbers.get(arrived, 0, count);
            combine(array, at, arrived, count, operator);
        }

        private static void combine(float[] mine, int at, float[] theirs, int count, FloatBinaryOperator operator) {
            for (int i = 0; i < count; i++) {
                mine[at + i] = operator.applyAsFloat(theirs[i], mine[at + i]);
            }
        }

        @Override
        void replace(int at, ByteBuffer source) {
            FloatBuffer numbers = source.asFloatBuffer();
            numbers.get(array, at, numbers.remaining());
        }
    }

    static final class Doubles extends Numbers {
        private final double[] array;
        private final DoubleBinaryOperator operator;
        private double[] arrived = {};

        Doubles(double[] array, DoubleBinaryOperator operator) {
            super(1, array.length, Double.BYTES);
            this.array = array;
            this.operator = operator;
        }

        @Override
        void put(int at, ByteBuffer target) {
            DoubleBuffer numbers = target.asDoubleBuffer();
            numbers.put(array, at, numbers.remaining());
            target.position(target.limit());
        }

        @Override
        void combine(int at, ByteBuffer source) {
            DoubleBuffer numbers = source.asDoubleBuffer();
            int count = numbers.remaining();
            if (arrived.length < count) {
                arrived = new double[count];
            }
            numbers.get(arrived, 0, count);
            combine(array, at, arrived, count, operator);
        }

        private static void combine(double[] mine, int at, double[] theirs, int count, DoubleBinaryOperator operator) {
            for (int i = 0; i < count; i++) {
                mine[at + i] = operator.applyAsDouble(theirs[i], mine[at + i]);
            }
        }

        @Override
        void replace(int at, ByteBuffer source) {
            DoubleBuffer numbers = source.asDoubleBuffer();
            numbers.get(array, at, numbers.remaining());
        }
    }

    static final class Ints extends Numbers {
        private final int[] array;
        private final IntBinaryOperator operator;
        private int[] arrived = {};

        Ints(int[] array, IntBinaryOperator operator) {
            super(2, array.length, Integer.BYTES);
            this.array = array;
            this.operator = operator;
        }

        @Override
        void put(int at, ByteBuffer target) {
            IntBuffer numbers = target.asIntBuffer();
            numbers.put(array, at, numbers.remaining());
            target.position(target.limit());
        }

        @Override
        void combine(int at, ByteBuffer source) {
            IntBuffer numbers = source.asIntBuffer();
            int count = numbers.remaining();
            if (arrived.length < count) {
                arrived = new int[count];
            }
            numbers.get(arrived, 0, count);
            combine(array, at, arrived, count, operator);
        }

        private static void combine(int[] mine, int at, int[] theirs, int count, IntBinaryOperator operator) {
            for (int i = 0; i < count; i++) {
                mine[at + i] = operator.applyAsInt(theirs[i], mine[at + i]);
            }
        }

        @Override
        void replace(int at, ByteBuffer source) {
            IntBuffer numbers = source.asIntBuffer();
            numbers.get(array, at, numbers.remaining());
        }
    }

    static final class Longs extends Numbers {
        private final long[] array;
        private final LongBinaryOperator operator;
        private long[] arrived = {};

        Longs(long[] array, LongBinaryOperator operator) {
            super(3, array.length, Long.BYTES);
            this.array = array;
            this.operator = operator;
        }

        @Override
        void put(int at, ByteBuffer target) {
            LongBuffer numbers = target.asLongBuffer();
            numbers.put(array, at, numbers.remaining());
            target.position(target.limit());
        }

        @Override
        void combine(int at, ByteBuffer source) {
            LongBuffer numbers = source.asLongBuffer();
            int count = numbers.remaining();
            if (arrived.length < count) {
                arrived = new long[count];
            }
            numbers.get(arrived, 0, count);
            combine(array, at, arrived, count, operator);
        }

        private static void combine(long[] mine, int at, long[] theirs, int count, LongBinaryOperator operator) {
            for (int i = 0; i < count; i++) {
                mine[at + i] = operator.applyAsLong(theirs[i], mine[at + i]);
            }
        }

        @Override
        void replace(int at, ByteBuffer source) {
            LongBuffer numbers = source.asLongBuffer();
            numbers.get(array, at, numbers.remaining());
        }
    }
}
