// SPDX-License-Identifier: Apache-2.0
package io.fiber.spi.serializer;

import io.fiber.spi.Provider;

/**
 * Creates serializers. Register it in {@code META-INF/services/io.fiber.spi.serializer.SerializerProvider}, and with
 * {@code provides} in a module.
 */
public interface SerializerProvider extends Provider {

    /** Creates a serializer for one process. */
    ObjectSerializer create(SerializerContext context);
}
