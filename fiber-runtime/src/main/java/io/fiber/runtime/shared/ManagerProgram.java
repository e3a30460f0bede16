// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import io.fiber.function.RemoteRunnable;
import io.fiber.runtime.rpc.ObjectAddress;
import io.fiber.runtime.rpc.Request;

/**
 * What a manager's process runs: it hosts objects until it is told to end.
 *
 * @param readyService where it reports
 * @param initializer what it runs first
 */
record ManagerProgram(RemoteObject readyService, RemoteRunnable initializer) implements RemoteRunnable {

    /** While this thread waits it does the conductor's work: requests reach the objects without a change of threads. */
    @Override
    public void run() throws Exception {
        initializer.run();
        try (Host host = new Host(readyService.process())) {
            ObjectAddress registry = host.host(new ObjectHost(host, new Registry(host)));
            host.serveUntilAnswered(
                    readyService.address(), Request.of(ManagerClient.ReadyService.SERVE, registry.object()));
        }
    }
}
