// SPDX-License-Identifier: Apache-2.0
package io.fiber.spi.serializer;

import io.fiber.spi.Options;
import java.io.ObjectInputFilter;

/** What a serializer receives when it is created. */
public interface SerializerContext {

    /** Returns the class loader that knows the program's classes. */
    ClassLoader classLoader();

    /**
     * Returns the filter that decides which classes may be read, and how much.
     *
     * @implSpec A serializer asks the filter about every class before it creates an instance, and about array lengths.
     *     On {@link ObjectInputFilter.Status#REJECTED} it throws {@link java.io.InvalidClassException}.
     */
    ObjectInputFilter filter();

    /** Returns the serializer's own options, already checked. */
    Options options();
}
