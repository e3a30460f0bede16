// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serialization;

import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.protocol.PayloadInput;
import io.fiber.runtime.protocol.PayloadOutput;
import java.io.EOFException;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Reads and writes arrays of primitives after their length, in little endian. They are converted in blocks; a large one is
 * converted as a whole, so that it is sent and received as one array of bytes.
 */
public final class PrimitiveArrays {

    private static final int BLOCK_BYTES = 8192;
    /** Is in one piece as a rule, and is not copied then. */
    private static final int READ_BYTES = Payload.GREATEST_SEGMENT_BYTES;

    /** The maximum array length of a virtual machine. */
    private static final long GREATEST_LENGTH = Integer.MAX_VALUE - 8;

    private PrimitiveArrays() {}

    /** Writes an array after its tag. If its elements are not primitives, returns false and writes nothing. */
    static boolean put(Object array, PayloadOutput out) {
        if (array instanceof byte[] bytes) {
            out.write(Tag.BYTES);
            out.writeVarLong(bytes.length);
            out.writeArray(bytes);
        } else if (array instanceof int[]) {
            putBlocks(Tag.INTEGERS, array, Integer.BYTES, out);
        } else if (array instanceof long[]) {
            putBlocks(Tag.LONGS, array, Long.BYTES, out);
        } else if (array instanceof double[]) {
            putBlocks(Tag.DOUBLES, array, Double.BYTES, out);
        } else if (array instanceof float[]) {
            putBlocks(Tag.FLOATS, array, Float.BYTES, out);
        } else if (array instanceof boolean[] values) {
            out.write(Tag.BOOLEANS);
            announce(values.length, Byte.BYTES, out);
            for (boolean value : values) {
                out.write(value ? 1 : 0);
            }
        } else if (array instanceof short[]) {
            putBlocks(Tag.SHORTS, array, Short.BYTES, out);
        } else if (array instanceof char[]) {
            putBlocks(Tag.CHARACTERS, array, Character.BYTES, out);
        } else {
            return false;
        }
        return true;
    }

    /** Writes bytes that belong to the output from now on. */
    static void writeBytes(byte[] values, PayloadOutput out) {
        out.writeVarLong(values.length);
        out.takeArray(values);
    }

    static void putBlocks(int tag, Object array, int elementBytes, PayloadOutput out) {
        out.write(tag);
        int length = Array.getLength(array);
        announce(length, elementBytes, out);
        long lengthBytes = (long) length * elementBytes;
        boolean isWhole = lengthBytes > Payload.GREATEST_SEGMENT_BYTES && lengthBytes <= GREATEST_LENGTH;
        byte[] bytes = new byte[isWhole ? (int) lengthBytes : (int) Math.min(lengthBytes, BLOCK_BYTES)];
        ByteBuffer block = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        if (isWhole) {
            encode(array, 0, length, block);
            out.takeArray(bytes);
            return;
        }
        int done = 0;
        while (done < length) {
            int part = Math.min(block.capacity() / elementBytes, length - done);
            encode(array, done, part, block);
            out.write(bytes, 0, part * elementBytes);
            done += part;
        }
    }

    /** Encodes {@code count} elements from {@code at} on, of any type except boolean and byte; changes no position. */
    public static void encode(Object array, int at, int count, ByteBuffer block) {
        if (array instanceof double[] values) {
            block.asDoubleBuffer().put(values, at, count);
        } else if (array instanceof int[] values) {
            block.asIntBuffer().put(values, at, count);
        } else if (array instanceof long[] values) {
            block.asLongBuffer().put(values, at, count);
        } else if (array instanceof float[] values) {
            block.asFloatBuffer().put(values, at, count);
        } else if (array instanceof short[] values) {
            block.asShortBuffer().put(values, at, count);
        } else {
            block.asCharBuffer().put((char[]) array, at, count);
        }
    }

    /**
     * Reads the array of a tag that has been read.
     *
     * @throws StreamCorruptedException if the tag does not belong to an array
     */
    static Object get(int tag, PayloadInput in) throws IOException {
        return switch (tag) {
            case Tag.BYTES -> readBytes(in);
            case Tag.BOOLEANS -> readBooleans(in);
            case Tag.SHORTS -> readBlocks(new short[length(in, Short.BYTES)], Short.BYTES, in);
            case Tag.CHARACTERS -> readCharacters(in);
            case Tag.INTEGERS -> readBlocks(new int[length(in, Integer.BYTES)], Integer.BYTES, in);
            case Tag.LONGS -> readBlocks(new long[length(in, Long.BYTES)], Long.BYTES, in);
            case Tag.FLOATS -> readBlocks(new float[length(in, Float.BYTES)], Float.BYTES, in);
            case Tag.DOUBLES -> readBlocks(new double[length(in, Double.BYTES)], Double.BYTES, in);
            default ->
                throw new StreamCorruptedException("unknown kind of value " + tag + " before byte " + in.position());
        };
    }

    static byte[] readBytes(PayloadInput in) throws IOException {
        return in.readArray(length(in, Byte.BYTES));
    }

    static char[] readCharacters(PayloadInput in) throws IOException {
        return readBlocks(new char[length(in, Character.BYTES)], Character.BYTES, in);
    }

    private static boolean[] readBooleans(PayloadInput in) throws IOException {
        boolean[] values = new boolean[length(in, Byte.BYTES)];
        for (int i = 0; i < values.length; i++) {
            values[i] = in.readByte() != 0;
        }
        return values;
    }

    private static <A> A readBlocks(A array, int elementBytes, PayloadInput in) throws IOException {
        int length = Array.getLength(array);
        int done = 0;
        while (done < length) {
            int part = Math.min(READ_BYTES / elementBytes, length - done);
            byte[] bytes = in.take(part * elementBytes);
            ByteBuffer block = ByteBuffer.wrap(bytes, in.taken(), part * elementBytes);
            decode(block.slice().order(ByteOrder.LITTLE_ENDIAN), array, done, part);
            done += part;
        }
        return array;
    }

    /** Decodes {@code count} elements from {@code at} on, of any type except boolean and byte; changes no position. */
    public static void decode(ByteBuffer block, Object array, int at, int count) {
        if (array instanceof double[] values) {
            block.asDoubleBuffer().get(values, at, count);
        } else if (array instanceof int[] values) {
            block.asIntBuffer().get(values, at, count);
        } else if (array instanceof long[] values) {
            block.asLongBuffer().get(values, at, count);
        } else if (array instanceof float[] values) {
            block.asFloatBuffer().get(values, at, count);
        } else if (array instanceof short[] values) {
            block.asShortBuffer().get(values, at, count);
        } else {
            block.asCharBuffer().get((char[]) array, at, count);
        }
    }

    /** Writes the length, after checking that the elements are within the limit. */
    private static void announce(int length, int elementBytes, PayloadOutput out) {
        out.require((long) length * elementBytes);
        out.writeVarLong(length);
    }

    /** Reads a length and compares it with the remaining bytes before an array is allocated. */
    static int length(PayloadInput in, int elementBytes) throws IOException {
        long length = in.readVarLong();
        if (length < 0 || length > Math.min(in.remaining() / elementBytes, GREATEST_LENGTH)) {
            throw new EOFException(Long.toUnsignedString(length) + " elements of " + elementBytes
                    + " bytes were announced, " + in.remaining() + " bytes are left");
        }
        return (int) length;
    }
}
