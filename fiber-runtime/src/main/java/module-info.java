// SPDX-License-Identifier: Apache-2.0
/** The engine behind the types of {@code io.fiber}; a program does not compile against it. */
module io.fiber.runtime {
    requires io.fiber;
    requires org.agrona;
    requires jdk.jfr;
    // AgronaAccess reaches sun.reflect by reflection.
    requires jdk.unsupported;
    // To name the shutdown hook that keeps a worker; a runtime image may do without it.
    requires static java.management;
    // For the log of a worker; a runtime image may do without it.
    requires static java.logging;
    requires static org.jspecify;

    uses io.fiber.ProgressListener;
    uses io.fiber.spi.backend.BackendProvider;
    uses io.fiber.spi.serializer.SerializerProvider;
    uses io.fiber.spi.transport.TransportProvider;

    provides io.fiber.FiberEngine with
            io.fiber.runtime.session.RuntimeEngine;
    provides io.fiber.spi.serializer.SerializerProvider with
            io.fiber.runtime.serialization.JavaSerializerProvider;
}
