// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.classloading;

import io.fiber.SerializationException;
import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.protocol.PayloadInput;
import io.fiber.runtime.protocol.PayloadOutput;
import io.fiber.runtime.serialization.ValueCodec;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;

/**
 * The variables of a JShell session. JShell keeps each in a static field of a class of its own, so a snippet that uses
 * one captures nothing. Their values are sent with that class, except those that cannot be serialized.
 */
final class Variables {

    private static final String SNIPPETS = "REPL.$JShell$";

    private Variables() {}

    /** Returns whether JShell has created a class around a snippet. */
    static boolean isSnippet(String className) {
        return className.startsWith(SNIPPETS);
    }

    static byte[] encode(Class<?> type, ValueCodec codec) {
        PayloadOutput out = new PayloadOutput();
        for (Field field : type.getDeclaredFields()) {
            if (isVariable(field)) {
                long start = out.length();
                try {
                    field.setAccessible(true);
                    out.writeText(field.getName());
                    codec.write(field.get(null), out);
                } catch (SerializationException | ReflectiveOperationException e) {
                    out.truncate(start);
                }
            }
        }
        return out.toPayload().toArray();
    }

    private static boolean isVariable(Field field) {
        return Modifier.isStatic(field.getModifiers())
                && !Modifier.isFinal(field.getModifiers())
                && !field.isSynthetic();
    }

    /**
     * Sets the variables of a class.
     *
     * @throws IOException if a value cannot be read
     */
    static void decode(byte[] encoded, Class<?> type, ValueCodec codec) throws IOException {
        PayloadInput in = Payload.of(encoded).open();
        while (in.remaining() > 0) {
            String name = in.readText();
            Object value = codec.read(in);
            try {
                Field field = type.getDeclaredField(name);
                field.setAccessible(true);
                field.set(null, value);
            } catch (ReflectiveOperationException e) {
                throw new IOException("The variable '" + name + "' cannot be set.", e);
            }
        }
    }
}
