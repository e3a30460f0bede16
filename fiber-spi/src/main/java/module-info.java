// SPDX-License-Identifier: Apache-2.0
/** What a provider of Fiber implements: backends, transports, serializers. Depends on the JDK alone. */
module io.fiber.spi {
    requires static org.jspecify;

    exports io.fiber.spi;
    exports io.fiber.spi.backend;
    exports io.fiber.spi.serializer;
    exports io.fiber.spi.transport;
}
