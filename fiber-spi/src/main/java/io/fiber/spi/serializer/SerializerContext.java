// SPDX-License-Identifier: Apache-2.0
package io.fiber.spi.serializer;

import io.fiber.spi.Options;
import java.io.ObjectInputFilter;

/** What a serializer is given when it is created. */
public interface SerializerContext {

    /** Returns the loader that knows the program's classes. */
    ClassLoader classLoader();

    /**
     * Returns which classes may be read, and how much of them.
     *
     * @implSpec A serializer asks it about every class that it is about to instantiate, and about array lengths, and
     *     stops with {@link java.io.InvalidClassException} on {@link ObjectInputFilter.Status#REJECTED}.
     */
    ObjectInputFilter filter();

    /** Returns the serializer's own options, checked. */
    Options options();
}
