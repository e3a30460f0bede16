// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serialization;

import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.protocol.PayloadOutput;
import io.fiber.spi.Options;
import io.fiber.spi.serializer.ObjectSerializer;
import io.fiber.spi.serializer.SerializerContext;
import java.io.ObjectInputFilter;
import org.jspecify.annotations.Nullable;

/** What the tests of this package make again and again. */
final class Serializing {

    static final ValueName ARGUMENT = new ValueName("argument", "map");

    private Serializing() {}

    record Context(ClassLoader classLoader, ObjectInputFilter filter) implements SerializerContext {
        @Override
        public Options options() {
            throw new UnsupportedOperationException("The java serializer has no options.");
        }
    }

    static ObjectSerializer serializer(ClassLoader loader, ObjectInputFilter filter) {
        return new JavaSerializerProvider().create(new Context(loader, filter));
    }

    static ObjectSerializer serializer() {
        return serializer(Serializing.class.getClassLoader(), TypeFilter.standard());
    }

    static ValueCodec on(Side side) {
        return new ValueCodec(serializer(), side);
    }

    static Payload written(@Nullable Object value) {
        PayloadOutput out = new PayloadOutput();
        on(Side.MASTER).write(value, out, ARGUMENT, 17);
        return out.toPayload();
    }

    static @Nullable Object read(Payload payload) {
        return on(Side.WORKER).read(payload.open(), ARGUMENT, 17);
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    static <T> T travelled(T value) {
        return (T) java.util.Objects.requireNonNull(read(written(value)));
    }
}
