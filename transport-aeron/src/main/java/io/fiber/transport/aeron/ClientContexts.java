// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.aeron;

import io.aeron.Aeron;
import java.nio.file.Path;
import org.agrona.ErrorHandler;
import org.agrona.LangUtil;
import org.agrona.concurrent.YieldingIdleStrategy;

/** How a client is set up: no thread of its own, no ending of the JVM. */
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
                // What a handler of frames throws belongs to the thread that polls.
                .subscriberErrorHandler(LangUtil::rethrowUnchecked);
    }
}
