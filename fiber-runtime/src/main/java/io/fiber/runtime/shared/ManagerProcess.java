// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import io.fiber.FiberProcess;
import io.fiber.ProcessLostException;
import io.fiber.runtime.rpc.ObjectAddress;
import io.fiber.runtime.rpc.RpcRouter;
import java.time.Duration;

/**
 * A running manager's process. Thread-safe.
 *
 * @param readyService what it reported to, and what ends it
 * @param readyAddress where that is
 * @param registry makes its objects
 */
record ManagerProcess(
        FiberProcess process, ManagerReadyService readyService, ObjectAddress readyAddress, RemoteObject registry) {

    private static final Duration GOODBYE_LIMIT = Duration.ofSeconds(5);

    /** Ends the process, by force if it does not by itself. */
    void end() {
        RpcRouter router = registry.process().router();
        readyService.finish(router.conductor());
        try {
            if (process.join(GOODBYE_LIMIT).isEmpty()) {
                process.kill();
            }
        } catch (ProcessLostException e) {
            // It has ended, which is all that is wanted here.
        } finally {
            router.withdraw(readyAddress);
        }
    }
}
