// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.broadcast;

import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.protocol.PayloadOutput;
import io.fiber.runtime.serialization.PrimitiveArrays;
import io.fiber.runtime.serialization.ValueCodec;
import io.fiber.runtime.serialization.ValueName;
import java.lang.reflect.Array;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.util.Objects;
import java.util.function.Consumer;

/** The format of a value in its file: consecutive numbers, little-endian, or a serialized object. */
enum Form {
    BYTES(byte[].class, 1),
    INTS(int[].class, Integer.BYTES),
    LONGS(long[].class, Long.BYTES),
    FLOATS(float[].class, Float.BYTES),
    DOUBLES(double[].class, Double.BYTES),
    BYTE_BUFFER(ByteBuffer.class, 1),
    INT_BUFFER(IntBuffer.class, Integer.BYTES),
    LONG_BUFFER(LongBuffer.class, Long.BYTES),
    FLOAT_BUFFER(FloatBuffer.class, Float.BYTES),
    DOUBLE_BUFFER(DoubleBuffer.class, Double.BYTES),
    OBJECT(Object.class, 1);

    private static final ValueName VALUE = new ValueName("the value", "a broadcast");
    private static final int PART_BYTES = 1 << 20;

    private final Class<?> type;
    private final int unitBytes;

    Form(Class<?> type, int unitBytes) {
        this.type = type;
        this.unitBytes = unitBytes;
    }

    /** Returns whether a reader has a view of the file in memory, and not an object in its heap. */
    boolean isView() {
        return Buffer.class.isAssignableFrom(type);
    }

    static Form of(Object value) {
        for (Form form : values()) {
            if (form.type.isInstance(value)) {
                return form;
            }
        }
        return OBJECT;
    }

    /** Passes on the bytes of a value in parts, in their order. */
    void write(Object value, ValueCodec codec, Consumer<ByteBuffer> parts) {
        if (this == OBJECT) {
            PayloadOutput out = new PayloadOutput();
            codec.write(value, out, VALUE);
            for (byte[] segment : out.toPayload().segments()) {
                parts.accept(ByteBuffer.wrap(segment));
            }
            return;
        }
        Buffer numbers = numbers(value);
        if (numbers instanceof ByteBuffer bytes) {
            parts.accept(bytes);
        } else {
            writeNumbers(numbers, parts);
        }
    }

    private static Buffer numbers(Object value) {
        if (value instanceof byte[] array) {
            return ByteBuffer.wrap(array);
        } else if (value instanceof int[] array) {
            return IntBuffer.wrap(array);
        } else if (value instanceof long[] array) {
            return LongBuffer.wrap(array);
        } else if (value instanceof float[] array) {
            return FloatBuffer.wrap(array);
        } else if (value instanceof double[] array) {
            return DoubleBuffer.wrap(array);
        }
        return ((Buffer) value).duplicate();
    }

    private void writeNumbers(Buffer numbers, Consumer<ByteBuffer> parts) {
        ByteBuffer part = ByteBuffer.allocate(PART_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        int end = numbers.limit();
        while (numbers.position() < end) {
            int count = Math.min(PART_BYTES / unitBytes, end - numbers.position());
            numbers.limit(numbers.position() + count);
            part.clear();
            if (numbers instanceof IntBuffer ints) {
                part.asIntBuffer().put(ints);
            } else if (numbers instanceof LongBuffer longs) {
                part.asLongBuffer().put(longs);
            } else if (numbers instanceof FloatBuffer floats) {
                part.asFloatBuffer().put(floats);
            } else if (numbers instanceof DoubleBuffer doubles) {
                part.asDoubleBuffer().put(doubles);
            }
            numbers.limit(end);
            parts.accept(part.limit(count * unitBytes));
        }
    }

    /** Returns the value in these bytes, which may be a view of them. */
    Object read(ByteBuffer bytes, ValueCodec codec) {
        ByteBuffer in = bytes.asReadOnlyBuffer().order(ByteOrder.LITTLE_ENDIAN);
        return switch (this) {
            case BYTE_BUFFER -> in.order(ByteOrder.BIG_ENDIAN);
            case INT_BUFFER -> in.asIntBuffer();
            case LONG_BUFFER -> in.asLongBuffer();
            case FLOAT_BUFFER -> in.asFloatBuffer();
            case DOUBLE_BUFFER -> in.asDoubleBuffer();
            case BYTES -> copy(in);
            case INTS, LONGS, FLOATS, DOUBLES -> {
                int length = in.remaining() / unitBytes;
                Object array = Array.newInstance(type.getComponentType(), length);
                PrimitiveArrays.decode(in, array, 0, length);
                yield array;
            }
            case OBJECT ->
                Objects.requireNonNull(codec.read(Payload.of(copy(in)).open(), VALUE), "value");
        };
    }

    private static byte[] copy(ByteBuffer in) {
        byte[] bytes = new byte[in.remaining()];
        in.get(bytes);
        return bytes;
    }
}
