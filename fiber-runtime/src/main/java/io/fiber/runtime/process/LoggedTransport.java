// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.process;

import io.fiber.runtime.logging.Logs;
import io.fiber.spi.transport.TransportException;
import io.fiber.spi.transport.TransportListener;

/** Writes what a transport tells into the log of its process. Thread-safe. */
public final class LoggedTransport implements TransportListener {

    /** Creates a listener. */
    public LoggedTransport() {}

    @Override
    public void onFailed(TransportException failure) {
        log().log(System.Logger.Level.ERROR, "The transport of this process has failed.", failure);
    }

    @Override
    public void onWarning(String message) {
        log().log(System.Logger.Level.WARNING, message);
    }

    /** Looked up when there is something to say, because the first look-up takes a JVM 10 to 50 ms. */
    private static System.Logger log() {
        return Logs.of(LoggedTransport.class);
    }
}
