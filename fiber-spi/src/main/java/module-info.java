// SPDX-License-Identifier: Apache-2.0
/**
 * The interfaces that providers implement (backends, transports and serializers) and the values that programs give them.
 * Depends only on the JDK.
 */
module io.fiber.spi {
    requires static org.jspecify;

    exports io.fiber.spec;
    exports io.fiber.spi;
    exports io.fiber.spi.backend;
    exports io.fiber.spi.serializer;
    exports io.fiber.spi.transport;
}
