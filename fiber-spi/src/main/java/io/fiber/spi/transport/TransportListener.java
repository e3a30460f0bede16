// SPDX-License-Identifier: Apache-2.0
package io.fiber.spi.transport;

/** Is told what goes wrong in a transport as a whole; what concerns one link is that link's state. */
public interface TransportListener {

    /**
     * Takes the news that the transport can no longer be used: all links are closed, {@code failure} says why. Told at
     * most once, by the thread that calls {@link Transport#doWork}.
     */
    void onFailed(TransportException failure);

    /**
     * Takes a warning: the transport goes on, but slower or with less than was asked for. The text says what to do, for
     * example which kernel setting to raise. Each kind is told once.
     */
    void onWarning(String message);
}
