// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serialization;

import io.fiber.runtime.protocol.PayloadInput;
import io.fiber.runtime.protocol.PayloadOutput;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;

/** Arrays of primitives behind their length, little endian, converted in blocks: nothing else of the array's size is made. */
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
        byte[] block = block(values.length, Short.BYTES);
        ShortBuffer elements = buffer(block).asShortBuffer();
        int done = 0;
        while (done < values.length) {
            int part = Math.min(block.length / Short.BYTES, values.length - done);
            elements.put(0, values, done, part);
            out.write(block, 0, part * Short.BYTES);
            done += part;
        }
    }

    static short[] readShorts(PayloadInput in) throws IOException {
        short[] values = new short[length(in, Short.BYTES)];
        byte[] block = block(values.length, Short.BYTES);
        ShortBuffer elements = buffer(block).asShortBuffer();
        int done = 0;
        while (done < values.length) {
            int part = Math.min(block.length / Short.BYTES, values.length - done);
            in.readExactly(block, 0, part * Short.BYTES);
            elements.get(0, values, done, part);
            done += part;
        }
        return values;
    }

    static void write(char[] values, PayloadOutput out) {
        announce(values.length, Character.BYTES, out);
        byte[] block = block(values.length, Character.BYTES);
        CharBuffer elements = buffer(block).asCharBuffer();
        int done = 0;
        while (done < values.length) {
            int part = Math.min(block.length / Character.BYTES, values.length - done);
            elements.put(0, values, done, part);
            out.write(block, 0, part * Character.BYTES);
            done += part;
        }
    }

    static char[] readCharacters(PayloadInput in) throws IOException {
        char[] values = new char[length(in, Character.BYTES)];
        byte[] block = block(values.length, Character.BYTES);
        CharBuffer elements = buffer(block).asCharBuffer();
        int done = 0;
        while (done < values.length) {
            int part = Math.min(block.length / Character.BYTES, values.length - done);
            in.readExactly(block, 0, part * Character.BYTES);
            elements.get(0, values, done, part);
            done += part;
        }
        return values;
    }

    static void write(int[] values, PayloadOutput out) {
        announce(values.length, Integer.BYTES, out);
        byte[] block = block(values.length, Integer.BYTES);
        IntBuffer elements = buffer(block).asIntBuffer();
        int done = 0;
        while (done < values.length) {
            int part = Math.min(block.length / Integer.BYTES, values.length - done);
            elements.put(0, values, done, part);
            out.write(block, 0, part * Integer.BYTES);
            done += part;
        }
    }

    static int[] readIntegers(PayloadInput in) throws IOException {
        int[] values = new int[length(in, Integer.BYTES)];
        byte[] block = block(values.length, Integer.BYTES);
        IntBuffer elements = buffer(block).asIntBuffer();
        int done = 0;
        while (done < values.length) {
            int part = Math.min(block.length / Integer.BYTES, values.length - done);
            in.readExactly(block, 0, part * Integer.BYTES);
            elements.get(0, values, done, part);
            done += part;
        }
        return values;
    }

    static void write(long[] values, PayloadOutput out) {
        announce(values.length, Long.BYTES, out);
        byte[] block = block(values.length, Long.BYTES);
        LongBuffer elements = buffer(block).asLongBuffer();
        int done = 0;
        while (done < values.length) {
            int part = Math.min(block.length / Long.BYTES, values.length - done);
            elements.put(0, values, done, part);
            out.write(block, 0, part * Long.BYTES);
            done += part;
        }
    }

    static long[] readLongs(PayloadInput in) throws IOException {
        long[] values = new long[length(in, Long.BYTES)];
        byte[] block = block(values.length, Long.BYTES);
        LongBuffer elements = buffer(block).asLongBuffer();
        int done = 0;
        while (done < values.length) {
            int part = Math.min(block.length / Long.BYTES, values.length - done);
            in.readExactly(block, 0, part * Long.BYTES);
            elements.get(0, values, done, part);
            done += part;
        }
        return values;
    }

    static void write(float[] values, PayloadOutput out) {
        announce(values.length, Float.BYTES, out);
        byte[] block = block(values.length, Float.BYTES);
        FloatBuffer elements = buffer(block).asFloatBuffer();
        int done = 0;
        while (done < values.length) {
            int part = Math.min(block.length / Float.BYTES, values.length - done);
            elements.put(0, values, done, part);
            out.write(block, 0, part * Float.BYTES);
            done += part;
        }
    }

    static float[] readFloats(PayloadInput in) throws IOException {
        float[] values = new float[length(in, Float.BYTES)];
        byte[] block = block(values.length, Float.BYTES);
        FloatBuffer elements = buffer(block).asFloatBuffer();
        int done = 0;
        while (done < values.length) {
            int part = Math.min(block.length / Float.BYTES, values.length - done);
            in.readExactly(block, 0, part * Float.BYTES);
            elements.get(0, values, done, part);
            done += part;
        }
        return values;
    }

    static void write(double[] values, PayloadOutput out) {
        announce(values.length, Double.BYTES, out);
        byte[] block = block(values.length, Double.BYTES);
        DoubleBuffer elements = buffer(block).asDoubleBuffer();
        int done = 0;
        while (done < values.length) {
            int part = Math.min(block.length / Double.BYTES, values.length - done);
            elements.put(0, values, done, part);
            out.write(block, 0, part * Double.BYTES);
            done += part;
        }
    }

    static double[] readDoubles(PayloadInput in) throws IOException {
        double[] values = new double[length(in, Double.BYTES)];
        byte[] block = block(values.length, Double.BYTES);
        DoubleBuffer elements = buffer(block).asDoubleBuffer();
        int done = 0;
        while (done < values.length) {
            int part = Math.min(block.length / Double.BYTES, values.length - done);
            in.readExactly(block, 0, part * Double.BYTES);
            elements.get(0, values, done, part);
            done += part;
        }
        return values;
    }

    /** Writes the length, once it is clear that the elements are within the limit. */
    private static void announce(int length, int elementBytes, PayloadOutput out) {
        out.require((long) length * elementBytes);
        out.writeVarLong(length);
    }

    /** Reads a length and checks it against what is left, before an array of it is allocated. */
    static int length(PayloadInput in, int elementBytes) throws IOException {
        long length = in.readVarLong();
        if (length < 0 || length > Math.min(in.remaining() / elementBytes, GREATEST_LENGTH)) {
            throw new EOFException(Long.toUnsignedString(length) + " elements of " + elementBytes
                    + " bytes were announced, " + in.remaining() + " bytes are left");
        }
        return (int) length;
    }

    private static byte[] block(int length, int elementBytes) {
        return new byte[(int) Math.min((long) length * elementBytes, BLOCK_BYTES)];
    }

    private static ByteBuffer buffer(byte[] block) {
        return ByteBuffer.wrap(block).order(ByteOrder.LITTLE_ENDIAN);
    }
}
