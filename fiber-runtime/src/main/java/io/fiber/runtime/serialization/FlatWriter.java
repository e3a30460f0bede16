// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serialization;

import io.fiber.runtime.protocol.PayloadOutput;
import java.lang.invoke.SerializedLambda;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Writes objects with plain parts in a format of its own: records of primitives, strings and at most one array (two might be
 * the same object), and lambdas that captured such values. They contain nothing that could be shared or be a handle. What
 * all objects of the class have in common comes first, and readers remember it; the parts follow. Thread-safe.
 *
 * <p>An object stream repeats class names in every message: with it, asynchronous calls to a manager take 1.8 times as long.
 */
final class FlatWriter {

    /** The first byte of a record; an object stream never starts with it. */
    static final int RECORD = 1;

    static final int LAMBDA = 2;

    interface Layout {
        /** Returns the parts of an object; null if they are not plain. */
        @Nullable
        Object @Nullable [] partsOf(Object value) throws ReflectiveOperationException;

        /** Returns the bytes before the parts; called after {@link #partsOf}. */
        byte[] head();
    }

    private static final ClassValue<Optional<Layout>> LAYOUTS = new ClassValue<>() {
        @Override
        protected Optional<Layout> computeValue(Class<?> type) {
            return type.isRecord() ? RecordForm.layoutOf(type) : LambdaForm.layoutOf(type);
        }
    };

    private FlatWriter() {}

    /** Writes an object with plain parts. For any other object, returns false and writes nothing. */
    static boolean write(@Nullable Object value, PayloadOutput out) {
        Layout layout = value == null ? null : LAYOUTS.get(value.getClass()).orElse(null);
        if (value == null || layout == null) {
            return false;
        }
        @Nullable Object[] parts;
        try {
            parts = layout.partsOf(value);
        } catch (ReflectiveOperationException e) {
            // An object stream says better why it cannot be read.
            return false;
        }
        if (parts == null) {
            return false;
        }
        out.write(value instanceof Record ? RECORD : LAMBDA);
        PrimitiveArrays.writeBytes(layout.head(), out);
        for (Object part : parts) {
            PlainValues.put(part, out);
        }
        return true;
    }

    /** Returns whether parts of this type are always plain. */
    static boolean isPlain(Class<?> type) {
        return type.isPrimitive()
                || type == String.class
                || type == Integer.class
                || type == Long.class
                || type == Double.class
                || type == Boolean.class
                || type == Float.class
                || type == Byte.class
                || type == Short.class
                || type == Character.class
                || isPlainArray(type);
    }

    static boolean isPlainArray(Class<?> type) {
        return type.isArray() && type.getComponentType().isPrimitive();
    }

    /** Returns what a lambda captured; null if it is not plain. */
    static @Nullable Object @Nullable [] captured(SerializedLambda lambda) {
        @Nullable Object[] parts = new @Nullable Object[lambda.getCapturedArgCount()];
        int arrays = 0;
        for (int i = 0; i < parts.length; i++) {
            Object part = lambda.getCapturedArg(i);
            if (part != null) {
                if (!isPlain(part.getClass())) {
                    return null;
                }
                arrays += isPlainArray(part.getClass()) ? 1 : 0;
            }
            parts[i] = part;
        }
        return arrays > 1 ? null : parts;
    }
}
