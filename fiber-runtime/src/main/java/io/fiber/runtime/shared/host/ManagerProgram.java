// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared.host;

import io.fiber.function.RemoteRunnable;
import io.fiber.runtime.rpc.ObjectAddress;
import io.fiber.runtime.rpc.ProcessContext;
import io.fiber.runtime.rpc.Request;

/**
 * What a manager's process runs: it hosts objects until it is told to end.
 *
 * @param process the process that runs it
 * @param ready where it says that it is ready, naming its {@link Registry}; the answer lets it end
 * @param initializer what it runs first
 */
public record ManagerProgram(ProcessContext process, ObjectAddress ready, RemoteRunnable initializer)
        implements RemoteRunnable {

    /** What it asks for: to be let serve until the answer comes. */
    private static final int SERVE = 0;

    /** While this thread waits it may read for the I/O thread: requests then reach the objects without a change of threads. */
    @Override
    public void run() throws Exception {
        initializer.run();
        try (Host host = new Host(process)) {
            ObjectAddress registry = host.host(new ObjectHost(host, new Registry(host)));
            host.serveUntilAnswered(ready, Request.of(SERVE, registry.object()));
        }
    }
}
