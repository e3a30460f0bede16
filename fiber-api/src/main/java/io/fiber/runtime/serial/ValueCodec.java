// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serial;

import io.fiber.SerializationException;
import io.fiber.runtime.wire.PayloadInput;
import io.fiber.runtime.wire.PayloadOutput;
import io.fiber.spi.serializer.ObjectSerializer;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Writes values one behind the other and reads them back. Boxed primitives, strings and arrays of primitives have a format
 * of their own; everything else goes through an {@link ObjectSerializer}. Thread-safe; blocks only if the serializer does.
 *
 * <p>A value that cannot be written leaves the output as it was. A value that cannot be read is skipped, so that the next
 * one can be, unless the bytes are damaged.
 */
public final class ValueCodec {

    private final ObjectSerializer serializer;
    private final Side here;
    private final Runnable beforeFunction;

    /** Creates a codec for the process that is {@code here}. */
    public ValueCodec(ObjectSerializer serializer, Side here) {
        this(serializer, here, () -> {});
    }

    /** Creates a codec for the process that is {@code here}; {@code beforeFunction} runs before a function is written. */
    public ValueCodec(ObjectSerializer serializer, Side here, Runnable beforeFunction) {
        this.serializer = serializer;
        this.here = here;
        this.beforeFunction = beforeFunction;
    }

    /** Writes a value; errors call it a value of a message. */
    public void write(@Nullable Object value, PayloadOutput out) {
        write(value, out, Subject.VALUE);
    }

    /**
     * Writes a value.
     *
     * @throws SerializationException FBR-201 when it cannot be serialized, FBR-205 when {@code out} is full
     */
    public void write(@Nullable Object value, PayloadOutput out, Subject subject) {
        long start = out.length();
        try {
            put(value, out);
        } catch (Throwable thrown) {
            out.truncate(start);
            throw WriteFailure.of(subject.describe(), value, thrown);
        }
    }

    /** Writes a value as {@link #write(Object, PayloadOutput, Subject)} does; errors name its index. */
    public void write(@Nullable Object value, PayloadOutput out, Subject subject, long index) {
        long start = out.length();
        try {
            put(value, out);
        } catch (Throwable thrown) {
            out.truncate(start);
            throw WriteFailure.of(subject.describe(index), value, thrown);
        }
    }

    /** Reads a value; errors call it a value of a message. */
    public @Nullable Object read(PayloadInput in) {
        return read(in, Subject.VALUE);
    }

    /**
     * Reads a value.
     *
     * @throws SerializationException FBR-202 when a class is missing here, FBR-203 when one differs, FBR-204 when one is
     *     not allowed, FBR-206 when the bytes are damaged
     */
    public @Nullable Object read(PayloadInput in, Subject subject) {
        try {
            return get(in);
        } catch (Throwable thrown) {
            throw ReadFailure.of(subject.describe(), here, thrown);
        }
    }

    /** Reads a value as {@link #read(PayloadInput, Subject)} does; errors name its index. */
    public @Nullable Object read(PayloadInput in, Subject subject, long index) {
        try {
            return get(in);
        } catch (Throwable thrown) {
            throw ReadFailure.of(subject.describe(index), here, thrown);
        }
    }

    /**
     * Writes a function as {@link #write(Object, PayloadOutput, Subject)} does. Classes that have been redefined since the
     * last function travel anew.
     */
    public void writeFunction(Object function, PayloadOutput out, Subject subject) {
        beforeFunction.run();
        write(function, out, subject);
    }

    private void put(@Nullable Object value, PayloadOutput out) throws IOException {
        if (value == null) {
            out.write(Tag.NULL);
            return;
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
            putArray(value, out);
        } else if (!putRareBox(value, type, out)) {
            putObject(value, out);
        }
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
            PrimitiveArrays.write(value.getBytes(StandardCharsets.ISO_8859_1), out);
        } else {
            out.require((long) value.length() * Character.BYTES);
            out.write(Tag.UTF16_STRING);
            PrimitiveArrays.write(value.toCharArray(), out);
        }
    }

    private void putArray(Object value, PayloadOutput out) throws IOException {
        if (value instanceof byte[] values) {
            out.write(Tag.BYTES);
            PrimitiveArrays.write(values, out);
        } else if (value instanceof int[] values) {
            out.write(Tag.INTEGERS);
            PrimitiveArrays.write(values, out);
        } else if (value instanceof long[] values) {
            out.write(Tag.LONGS);
            PrimitiveArrays.write(values, out);
        } else if (value instanceof double[] values) {
            out.write(Tag.DOUBLES);
            PrimitiveArrays.write(values, out);
        } else if (value instanceof float[] values) {
            out.write(Tag.FLOATS);
            PrimitiveArrays.write(values, out);
        } else if (value instanceof boolean[] values) {
            out.write(Tag.BOOLEANS);
            PrimitiveArrays.write(values, out);
        } else if (value instanceof short[] values) {
            out.write(Tag.SHORTS);
            PrimitiveArrays.write(values, out);
        } else if (value instanceof char[] values) {
            out.write(Tag.CHARACTERS);
            PrimitiveArrays.write(values, out);
        } else {
            putObject(value, out);
        }
    }

    /** The length in front lets a reader go on behind an object that it cannot read. */
    private void putObject(Object value, PayloadOutput out) throws IOException {
        out.write(Tag.OBJECT);
        long at = out.length();
        out.writeInt(0);
        serializer.write(value, out);
        out.setInt(at, (int) (out.length() - at - Integer.BYTES));
    }

    private @Nullable Object get(PayloadInput in) throws IOException, ClassNotFoundException {
        int tag = in.readByte();
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
            case Tag.OBJECT -> getObject(in);
            default -> getRare(tag, in);
        };
    }

    private static Integer getInteger(PayloadInput in) throws IOException {
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
            case Tag.BOOLEANS -> PrimitiveArrays.readBooleans(in);
            case Tag.BYTES -> PrimitiveArrays.readBytes(in);
            case Tag.SHORTS -> PrimitiveArrays.readShorts(in);
            case Tag.CHARACTERS -> PrimitiveArrays.readCharacters(in);
            case Tag.INTEGERS -> PrimitiveArrays.readIntegers(in);
            case Tag.LONGS -> PrimitiveArrays.readLongs(in);
            case Tag.FLOATS -> PrimitiveArrays.readFloats(in);
            case Tag.DOUBLES -> PrimitiveArrays.readDoubles(in);
            default ->
                throw new StreamCorruptedException("unknown kind of value " + tag + " before byte " + in.position());
        };
    }

    private @Nullable Object getObject(PayloadInput in) throws IOException, ClassNotFoundException {
        PayloadInput part = in.slice(Integer.toUnsignedLong(in.readInt()));
        Object value = serializer.read(part);
        if (part.remaining() != 0) {
            throw new StreamCorruptedException(part.remaining() + " bytes are left behind an object");
        }
        return value;
    }
}
