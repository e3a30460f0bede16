// SPDX-License-Identifier: Apache-2.0
/** The implementation of the API in {@code io.fiber}; programs do not compile against it. */
module io.fiber.runtime {
    requires io.fiber;
    requires org.agrona;
    requires jdk.jfr;
    // AgronaAccess uses sun.reflect by reflection.
    requires jdk.unsupported;
    // For the name of the shutdown hook that keeps a worker alive; a runtime image may lack this module.
    requires static java.management;
    // For the size of a worker's heap; a runtime image may lack this module.
    requires static jdk.management;
    // For the log of a worker; a runtime image may lack this module.
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
