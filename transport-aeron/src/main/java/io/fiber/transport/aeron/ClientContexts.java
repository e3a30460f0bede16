// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.aeron;

import io.aeron.Aeron;
import java.nio.file.Path;
import org.agrona.ErrorHandler;
import org.agrona.LangUtil;
import org.agrona.concurrent.YieldingIdleStrategy;

/** Configures clients so that they have no thread of their own and do not end the JVM. */
final class ClientContexts {

    private ClientContexts() {}

    static Aeron.Context of(Path directory, TransportTimes times, ErrorHandler errors) {
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
