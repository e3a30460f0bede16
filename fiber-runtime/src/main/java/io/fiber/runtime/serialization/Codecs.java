// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serialization;

import io.fiber.spi.Options;
import io.fiber.spi.serializer.ObjectSerializer;
import io.fiber.spi.serializer.SerializerContext;
import io.fiber.spi.serializer.SerializerProvider;
import java.io.ObjectInputFilter;
import java.util.function.UnaryOperator;

/**
 * How one process turns objects into bytes. Thread-safe.
 *
 * @param values arguments, functions and results
 * @param failures exceptions
 */
public record Codecs(ValueCodec values, FailureCodec failures) {

    private record Context(ClassLoader classLoader, ObjectInputFilter filter, Options options)
            implements SerializerContext {}

    /**
     * Returns the codecs of a process that is {@code side}, with the program's own class loader.
     *
     * @param binding puts the process around the serializer, so that handles among what is read know where they are
     */
    public static Codecs of(
            SerializerProvider provider, Options options, Side side, UnaryOperator<ObjectSerializer> binding) {
        ObjectSerializer serializer =
                binding.apply(provider.create(new Context(programLoader(), TypeFilter.standard(), options)));
        return new Codecs(new ValueCodec(serializer, side), new FailureCodec(serializer, side));
    }

    /**
     * Returns codecs by Java serialization of a process that is {@code side}, of whose classes some travel.
     *
     * @param binding puts the process around the serializer, so that handles among what is read know where they are
     */
    public static Codecs withRemoteClasses(
            RemoteClassResolver resolver, Side side, UnaryOperator<ObjectSerializer> binding) {
        JavaSerializer standard = new JavaSerializer(programLoader(), TypeFilter.standard());
        ObjectSerializer serializer = binding.apply(new RemoteClassSerializer(standard, resolver));
        return new Codecs(new ValueCodec(serializer, side, resolver::refresh), new FailureCodec(serializer, side));
    }

    private static ClassLoader programLoader() {
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        return context == null ? ClassLoader.getSystemClassLoader() : context;
    }
}
