// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.collective;

import io.fiber.Ring;
import io.fiber.function.RemoteRunnable;
import io.fiber.runtime.process.ProcessClient;
import io.fiber.runtime.process.SessionContext;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** Makes the rings of a session. Thread-safe. */
public final class Rings {

    private final Function<RemoteRunnable, ProcessClient> processes;
    private final SessionContext context;
    private final AtomicInteger numbers = new AtomicInteger();

    /**
     * Creates what makes rings.
     *
     * @param processes makes a process of the session, not started
     */
    public Rings(Function<RemoteRunnable, ProcessClient> processes, SessionContext context) {
        this.processes = processes;
        this.context = context;
    }

    /** Makes a ring; starts nothing. */
    public Ring make(RingSettings settings) {
        String name = settings.name().orElseGet(() -> "ring-" + numbers.incrementAndGet());
        return new RingClient(name, settings, processes, context);
    }
}
