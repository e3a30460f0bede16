// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serialization;

import io.fiber.spi.serializer.ObjectSerializer;
import io.fiber.spi.serializer.SerializerContext;
import io.fiber.spi.serializer.SerializerProvider;

/** Provides the serializer of the JDK under the name {@code java}. Thread-safe. */
public final class JavaSerializerProvider implements SerializerProvider {

    @Override
    public String name() {
        return "java";
    }

    @Override
    public ObjectSerializer create(SerializerContext context) {
        return new JavaSerializer(context.classLoader(), (TypeFilter) context.filter());
    }
}
