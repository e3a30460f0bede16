// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared.host;

import io.fiber.function.RemoteRunnable;
import io.fiber.runtime.rpc.ObjectAddress;
import io.fiber.runtime.rpc.ProcessContext;
import io.fiber.runtime.rpc.Request;

/**
 * The program of a manager's process: hosts objects until it is told to end.
 *
 * @param process the process that runs it
 * @param ready the object to which it reports its {@link Registry} when it is ready; the answer ends it
 * @param initializer runs first
 */
public record ManagerProgram(ProcessContext process, ObjectAddress ready, RemoteRunnable initializer)
        implements RemoteRunnable {

    /** The operation that reports the registry; it is answered when the manager may end. */
    private static final int SERVE = 0;

    /** While this thread waits, it may read for the I/O thread, so that requests need no change of threads. */
    @Override
    public void run() throws Exception {
        initializer.run();
        try (Host host = new Host(process)) {
            ObjectAddress registry = host.host(new ObjectHost(host, new Registry(host)));
            host.serveUntilAnswered(ready, Request.of(SERVE, registry.object()));
        }
    }
}
