// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.aeron;

import io.aeron.exceptions.ClientTimeoutException;
import io.aeron.exceptions.ConductorServiceTimeoutException;
import io.aeron.exceptions.DriverTimeoutException;
import org.agrona.ErrorHandler;
import org.jspecify.annotations.Nullable;

/**
 * Handles Aeron's errors in place of Aeron's own handler, which ends the JVM. It keeps fatal errors and counts the
 * others.
 */
final class FatalErrors implements ErrorHandler {

    private final TransportCounters counters;
    private volatile @Nullable Throwable fatal;

    FatalErrors(TransportCounters counters) {
        this.counters = counters;
    }

    @Override
    public void onError(Throwable error) {
        if (error instanceof DriverTimeoutException
                || error instanceof ConductorServiceTimeoutException
                || error instanceof ClientTimeoutException
                || error instanceof Error) {
            if (fatal == null) {
                fatal = error;
            }
        } else {
            counters.countError();
            DebugLog.write("Aeron reported an error.", error);
        }
    }

    TransportCounters counters() {
        return counters;
    }

    /** Returns what ended the client or the driver; null while they work. */
    @Nullable
    Throwable fatal() {
        return fatal;
    }
}
