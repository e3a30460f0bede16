// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serialization;

import io.fiber.runtime.protocol.PayloadInput;
import io.fiber.runtime.protocol.PayloadOutput;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The format of null, boxed primitives, strings and arrays of primitives: a {@link Tag}, followed by the content. */
final class PlainValues {

    private PlainValues() {}

    /** Writes a value. If it has no format of its own, returns false and writes nothing. */
    static boolean put(@Nullable Object value, PayloadOutput out) {
        if (value == null) {
            out.write(Tag.NULL);
            return true;
        }
        Class<?> type = value.getClass();
        if (type == Integer.class) {
            int number = (Integer) value;
            out.write(Tag.INTEGER);
            out.writeVarLong(((number << 1) ^ (number >> 31)) & 0xFFFF_FFFFL);
        } else if (type == Long.class) {
            long number = (Long) value;
            out.write(Tag.LONG);
            out.writeVarLong((number << 1) ^ (number >> 63));
        } else if (type == Double.class) {
            out.write(Tag.DOUBLE);
            out.writeLong(Double.doubleToRawLongBits((Double) value));
        } else if (type == String.class) {
            putString((String) value, out);
        } else if (type == Boolean.class) {
            out.write((Boolean) value ? Tag.TRUE : Tag.FALSE);
        } else if (type.isArray()) {
            return PrimitiveArrays.put(value, out);
        } else {
            return putRareBox(value, type, out);
        }
        return true;
    }

    private static boolean putRareBox(Object value, Class<?> type, PayloadOutput out) {
        if (type == Float.class) {
            out.write(Tag.FLOAT);
            out.writeInt(Float.floatToRawIntBits((Float) value));
        } else if (type == Byte.class) {
            out.write(Tag.BYTE);
            out.write((Byte) value);
        } else if (type == Short.class) {
            out.write(Tag.SHORT);
            out.write((Short) value >>> 8);
            out.write((Short) value);
        } else if (type == Character.class) {
            out.write(Tag.CHARACTER);
            out.write((Character) value >>> 8);
            out.write((Character) value);
        } else {
            return false;
        }
        return true;
    }

    private static void putString(String value, PayloadOutput out) {
        int bits = 0;
        for (int i = 0; i < value.length(); i++) {
            bits |= value.charAt(i);
        }
        if (bits <= 0xFF) {
            out.require(value.length());
            out.write(Tag.LATIN1_STRING);
            PrimitiveArrays.writeBytes(value.getBytes(StandardCharsets.ISO_8859_1), out);
        } else {
            out.require((long) value.length() * Character.BYTES);
            PrimitiveArrays.putBlocks(Tag.UTF16_STRING, value.toCharArray(), Character.BYTES, out);
        }
    }

    /**
     * Reads the value of a tag that has been read.
     *
     * @throws StreamCorruptedException if it is not one of these tags
     */
    static @Nullable Object get(int tag, PayloadInput in) throws IOException {
        return switch (tag) {
            case Tag.NULL -> null;
            case Tag.FALSE -> false;
            case Tag.TRUE -> true;
            case Tag.INTEGER -> getInteger(in);
            case Tag.LONG -> {
                long number = in.readVarLong();
                yield (number >>> 1) ^ -(number & 1);
            }
            case Tag.DOUBLE -> Double.longBitsToDouble(in.readLong());
            case Tag.LATIN1_STRING -> new String(PrimitiveArrays.readBytes(in), StandardCharsets.ISO_8859_1);
            case Tag.UTF16_STRING -> new String(PrimitiveArrays.readCharacters(in));
            default -> getRare(tag, in);
        };
    }

    static int getInteger(PayloadInput in) throws IOException {
        long number = in.readVarLong();
        if (number >>> 32 != 0) {
            throw new StreamCorruptedException("an int of more than 32 bits before byte " + in.position());
        }
        return (int) (number >>> 1) ^ -(int) (number & 1);
    }

    private static Object getRare(int tag, PayloadInput in) throws IOException {
        return switch (tag) {
            case Tag.BYTE -> (byte) in.readByte();
            case Tag.SHORT -> (short) (in.readByte() << 8 | in.readByte());
            case Tag.CHARACTER -> (char) (in.readByte() << 8 | in.readByte());
            case Tag.FLOAT -> Float.intBitsToFloat(in.readInt());
            default -> PrimitiveArrays.get(tag, in);
        };
    }
}
