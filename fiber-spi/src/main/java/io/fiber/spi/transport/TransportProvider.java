// SPDX-License-Identifier: Apache-2.0
package io.fiber.spi.transport;

import io.fiber.spi.Provider;
import java.util.List;
import java.util.Optional;

/**
 * Creates a transport. Registered in {@code META-INF/services/io.fiber.spi.transport.TransportProvider}, and by
 * {@code provides} in a module.
 */
public interface TransportProvider extends Provider {

    /**
     * Returns the options that a worker's JVM needs for this transport, for example
     * {@code --add-exports=java.base/jdk.internal.misc=ALL-UNNAMED}.
     *
     * @param path whether the worker is started from the class path or the module path
     */
    List<String> jvmOptions(CodePath path);

    /**
     * Returns a class of each jar that a worker needs for this transport, none of them initialized. Where workers are started
     * by a class path, these jars are put in front of it, as only there a JVM can archive their classes.
     *
     * @implSpec Returns the provider's own class by default.
     */
    default List<Class<?>> libraries() {
        return List.of(getClass());
    }

    /** How the classes of a worker are found. */
    enum CodePath {
        /** By {@code -cp}. */
        CLASS_PATH,
        /** By {@code --module-path}. */
        MODULE_PATH
    }

    /**
     * Returns in words where an address of this transport leads, for the text of an error: {@code 10.1.0.5:40123 (UDP)}.
     *
     * @implSpec Returns the address's own text by default. Never throws and asks no name server.
     */
    default String inWords(Address address) {
        return address.text();
    }

    /**
     * Returns the address at which a transport that {@linkplain Transport#listen listens} at this host and port is dialled;
     * empty when transports of this provider cannot listen so.
     */
    default Optional<Address> listeningAddress(String host, int port) {
        return Optional.empty();
    }

    /**
     * Creates a transport. Cheap: nothing is bound, mapped or started before the first {@link Transport#invite} or
     * {@link Transport#dial}.
     *
     * @throws TransportException when this JVM or host cannot run it; the text says what to do
     */
    Transport create(TransportContext context);
}
