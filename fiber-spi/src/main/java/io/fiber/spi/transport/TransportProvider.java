// SPDX-License-Identifier: Apache-2.0
package io.fiber.spi.transport;

import io.fiber.spi.Provider;
import java.util.List;
import java.util.Optional;

/**
 * Creates transports. Register it in {@code META-INF/services/io.fiber.spi.transport.TransportProvider}, and with
 * {@code provides} in a module.
 */
public interface TransportProvider extends Provider {

    /**
     * Returns the options that a worker's JVM needs for this transport, for example {@code
     * --add-exports=java.base/jdk.internal.misc=ALL-UNNAMED}.
     *
     * @param path whether the worker is started from the class path or the module path
     */
    List<String> jvmOptions(CodePath path);

    /**
     * Returns one class from each jar that a worker needs for this transport, without initializing it. If workers are
     * started from a class path, these jars are put in front, because a JVM can archive their classes only there.
     *
     * @implSpec Returns the provider's own class by default.
     */
    default List<Class<?>> libraries() {
        return List.of(getClass());
    }

    /** Where a worker finds its classes. */
    enum CodePath {
        /** On the class path, {@code -cp}. */
        CLASS_PATH,
        /** On the module path, {@code --module-path}. */
        MODULE_PATH
    }

    /**
     * Returns a readable form of an address of this transport for error messages, for example {@code 10.1.0.5:40123
     * (UDP)}.
     *
     * @implSpec Returns the address's own text by default. Never throws, and asks no name server.
     */
    default String inWords(Address address) {
        return address.text();
    }

    /**
     * Returns the address to dial if a transport {@linkplain Transport#listen listens} at this host and port; empty if
     * transports of this provider cannot do so.
     */
    default Optional<Address> listeningAddress(String host, int port) {
        return Optional.empty();
    }

    /**
     * Creates a transport. This is cheap: nothing is bound, mapped or started before the first {@link Transport#invite}
     * or {@link Transport#dial}.
     *
     * @throws TransportException if this JVM or host cannot run it; the message says what to do
     */
    Transport create(TransportContext context);
}
