// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.aeron;

import io.aeron.Aeron;
import java.nio.file.Path;
import org.agrona.ErrorHandler;
import org.agrona.LangUtil;
import org.agrona.concurrent.YieldingIdleStrategy;
import org.jspecify.annotations.Nullable;

/** A client and the driver that it uses: this process's own driver, or one of another process on this host. */
sealed interface AeronNode permits OwnDriver, ForeignDriver {

    Aeron client();

    /** Returns why nothing works any more; null while it works. */
    @Nullable
    String failure();

    /** Returns the configuration of a client that has no thread of its own and does not end the JVM. */
    static Aeron.Context clientContext(Path directory, TransportTimes times, ErrorHandler errors) {
        return new Aeron.Context()
                .aeronDirectoryName(directory.toString())
                .useConductorAgentInvoker(true)
                .epochClock(SteadyClock.INSTANCE)
                .driverTimeoutMs(times.livenessMs())
                .awaitingIdleStrategy(YieldingIdleStrategy.INSTANCE)
                .errorHandler(errors)
                // Exceptions of a frame handler belong to the thread that polls.
                .subscriberErrorHandler(LangUtil::rethrowUnchecked);
    }
}
