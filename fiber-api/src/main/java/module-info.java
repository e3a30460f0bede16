// SPDX-License-Identifier: Apache-2.0
/** What a program uses to run parts of itself as processes on a cluster, and the runtime behind it. */
module io.fiber {
    requires transitive io.fiber.spi;
    requires org.agrona;
    requires jdk.jfr;
    // AgronaAccess reaches sun.reflect by reflection.
    requires jdk.unsupported;
    // For the log of a worker; a runtime image may do without it.
    requires static java.logging;
    requires static org.jspecify;

    exports io.fiber;
    exports io.fiber.function;

    uses io.fiber.ProgressListener;
    uses io.fiber.spi.backend.BackendProvider;
    uses io.fiber.spi.serializer.SerializerProvider;
    uses io.fiber.spi.transport.TransportProvider;

    provides io.fiber.spi.serializer.SerializerProvider with
            io.fiber.runtime.serial.JavaSerializerProvider;
}
