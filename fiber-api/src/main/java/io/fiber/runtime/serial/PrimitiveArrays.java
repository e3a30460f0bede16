// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serial;

import io.fiber.runtime.wire.PayloadInput;
import io.fiber.runtime.wire.PayloadOutput;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Arrays of primitives behind their length, little endian, in blocks: nothing of the size of the array is made but it. */
final class PrimitiveArrays {

    private static final int BLOCK_BYTES = 8192;

    /** What a virtual machine allocates at most. */
    private static final long GREATEST_LENGTH = Integer.MAX_VALUE - 8;

    private PrimitiveArrays() {}

    static void write(byte[] values, PayloadOutput out) {
        out.writeVarLong(values.length);
        out.write(values, 0, values.length);
    }

    static byte[] readBytes(PayloadInput in) throws IOException {
        return in.readExactly(length(in, Byte.BYTES));
    }

    static void write(boolean[] values, PayloadOutput out) {
        announce(values.length, Byte.BYTES, out);
        for (boolean value : values) {
            out.write(value ? 1 : 0);
        }
    }

    static boolean[] readBooleans(PayloadInput in) throws IOException {
        boolean[] values = new boolean[length(in, Byte.BYTES)];
        for (int i = 0; i < values.length; i++) {
            values[i] = in.readByte() != 0;
        }
        return values;
    }

    static void write(short[] values, PayloadOutput out) {
        announce(values.length, Short.BYTES, out);
        ByteBuffer block = block(values.length, Short.BYTES);
        int done = 0;
        while (done < values.length) {
            int part = Math.min(block.capacity() / Short.BYTES, values.length - done);
            block.asShortBuffer().put(values, done, part);
            out.write(block.array(), 0, part * Short.BYTES);
            done += part;
        }
    }

    static short[] readShorts(PayloadInput in) throws IOException {
        short[] values = new short[length(in, Short.BYTES)];
        ByteBuffer block = block(values.length, Short.BYTES);
        int done = 0;
        while (done < values.length) {
            int part = Math.min(block.capacity() / Short.BYTES, values.length - done);
            in.readExactly(block.array(), 0, part * Short.BYTES);
            block.asShortBuffer().get(values, done, part);
            done += part;
        }
        return values;
    }

    static void write(char[] values, PayloadOutput out) {
        announce(values.length, Character.BYTES, out);
        ByteBuffer block = block(values.length, Character.BYTES);
        int done = 0;
        while (done < values.length) {
            int part = Math.min(block.capacity() / Character.BYTES, values.length - done);
            block.asCharBuffer().put(values, done, part);
            out.write(block.array(), 0, part * Character.BYTES);
            done += part;
        }
    }

    static char[] readCharacters(PayloadInput in) throws IOException {
        char[] values = new char[length(in, Character.BYTES)];
        ByteBuffer block = block(values.length, Character.BYTES);
        int done = 0;
        while (done < values.length) {
            int part = Math.min(block.capacity() / Character.BYTES, values.length - done);
            in.readExactly(block.array(), 0, part * Character.BYTES);
            block.asCharBuffer().get(values, done, part);
            done += part;
        }
        return values;
    }

    static void write(int[] values, PayloadOutput out) {
        announce(values.length, Integer.BYTES, out);
        ByteBuffer block = block(values.length, Integer.BYTES);
        int done = 0;
        while (done < values.length) {
            int part = Math.min(block.capacity() / Integer.BYTES, values.length - done);
            block.asIntBuffer().put(values, done, part);
            out.write(block.array(), 0, part * Integer.BYTES);
            done += part;
        }
    }

    static int[] readIntegers(PayloadInput in) throws IOException {
        int[] values = new int[length(in, Integer.BYTES)];
        ByteBuffer block = block(values.length, Integer.BYTES);
        int done = 0;
        while (done < values.length) {
            int part = Math.min(block.capacity() / Integer.BYTES, values.length - done);
            in.readExactly(block.array(), 0, part * Integer.BYTES);
            block.asIntBuffer().get(values, done, part);
            done += part;
        }
        return values;
    }

    static void write(long[] values, PayloadOutput out) {
        announce(values.length, Long.BYTES, out);
        ByteBuffer block = block(values.length, Long.BYTES);
        int done = 0;
        while (done < values.length) {
            int part = Math.min(block.capacity() / Long.BYTES, values.length - done);
            block.asLongBuffer().put(values, done, part);
            out.write(block.array(), 0, part * Long.BYTES);
            done += part;
        }
    }

    static long[] readLongs(PayloadInput in) throws IOException {
        long[] values = new long[length(in, Long.BYTES)];
        ByteBuffer block = block(values.length, Long.BYTES);
        int done = 0;
        while (done < values.length) {
            int part = Math.min(block.capacity() / Long.BYTES, values.length - done);
            in.readExactly(block.array(), 0, part * Long.BYTES);
            block.asLongBuffer().get(values, done, part);
            done += part;
        }
        return values;
    }

    static void write(float[] values, PayloadOutput out) {
        announce(values.length, Float.BYTES, out);
        ByteBuffer block = block(values.length, Float.BYTES);
        int done = 0;
        while (done < values.length) {
            int part = Math.min(block.capacity() / Float.BYTES, values.length - done);
            block.asFloatBuffer().put(values, done, part);
            out.write(block.array(), 0, part * Float.BYTES);
            done += part;
        }
    }

    static float[] readFloats(PayloadInput in) throws IOException {
        float[] values = new float[length(in, Float.BYTES)];
        ByteBuffer block = block(values.length, Float.BYTES);
        int done = 0;
        while (done < values.length) {
            int part = Math.min(block.capacity() / Float.BYTES, values.length - done);
            in.readExactly(block.array(), 0, part * Float.BYTES);
            block.asFloatBuffer().get(values, done, part);
            done += part;
        }
        return values;
    }

    static void write(double[] values, PayloadOutput out) {
        announce(values.length, Double.BYTES, out);
        ByteBuffer block = block(values.length, Double.BYTES);
        int done = 0;
        while (done < values.length) {
            int part = Math.min(block.capacity() / Double.BYTES, values.length - done);
            block.asDoubleBuffer().put(values, done, part);
            out.write(block.array(), 0, part * Double.BYTES);
            done += part;
        }
    }

    static double[] readDoubles(PayloadInput in) throws IOException {
        double[] values = new double[length(in, Double.BYTES)];
        ByteBuffer block = block(values.length, Double.BYTES);
        int done = 0;
        while (done < values.length) {
            int part = Math.min(block.capacity() / Double.BYTES, values.length - done);
            in.readExactly(block.array(), 0, part * Double.BYTES);
            block.asDoubleBuffer().get(values, done, part);
            done += part;
        }
        return values;
    }

    /** Writes the length, once it is clear that the elements are within the limit. */
    private static void announce(int length, int elementBytes, PayloadOutput out) {
        out.require((long) length * elementBytes);
        out.writeVarLong(length);
    }

    /** Reads a length and checks it against what is left, before anybody allocates an array of it. */
    static int length(PayloadInput in, int elementBytes) throws IOException {
        long length = in.readVarLong();
        if (length < 0 || length > Math.min(in.remaining() / elementBytes, GREATEST_LENGTH)) {
            throw new EOFException(Long.toUnsignedString(length) + " elements of " + elementBytes + " bytes were announced, "
                    + in.remaining() + " bytes are left");
        }
        return (int) length;
    }

    private static ByteBuffer block(int length, int elementBytes) {
        int bytes = (int) Math.min((long) length * elementBytes, BLOCK_BYTES);
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
