// SPDX-License-Identifier: Apache-2.0
package io.fiber.spi.transport;

/** Receives the failures of a transport as a whole; the failure of a single link shows in its state. */
public interface TransportListener {

    /**
     * Reports that the transport can no longer be used: all links are closed, and {@code failure} says why. Called at
     * most once, by the thread that calls {@link Transport#doWork}.
     */
    void onFailed(TransportException failure);

    /**
     * Reports a warning: the transport continues, but more slowly or with less than was requested. The message says
     * what to do, for example which kernel setting to raise. Each kind is reported once.
     */
    void onWarning(String message);
}
