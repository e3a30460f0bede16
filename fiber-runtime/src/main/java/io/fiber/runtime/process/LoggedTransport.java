// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.process;

import io.fiber.runtime.logging.Logs;
import io.fiber.spi.transport.TransportException;
import io.fiber.spi.transport.TransportListener;

/** Writes what a transport tells into the log of its process. Thread-safe. */
public final class LoggedTransport implements TransportListener {

    private static final System.Logger LOG = Logs.of(LoggedTransport.class);

    @Override
    public void onFailed(TransportException failure) {
        LOG.log(System.Logger.Level.ERROR, "The transport of this process has failed.", failure);
    }

    @Override
    public void onWarning(String message) {
        LOG.log(System.Logger.Level.WARNING, message);
    }
}
