// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import io.fiber.function.RemoteRunnable;

/** Starts a {@link Manager} with choices named; made by {@link Fiber#managerBuilder}. */
public interface ManagerBuilder extends JobBuilder<ManagerBuilder> {

    /**
     * Gives what the manager's process runs before it hosts objects.
     *
     * @param program when it throws, the start fails. Default: nothing
     * @throws IllegalStateException (FBR-306) when it was set before
     */
    ManagerBuilder initializer(RemoteRunnable program);

    /**
     * Starts the manager. Waits until it is ready.
     *
     * @throws ProcessStartException when its process cannot be started
     * @throws RemoteTaskException what the initializer threw
     * @throws FiberException FBR-437 when the process ended before the manager was ready
     * @throws IllegalStateException (FBR-302) when the session is closed, (FBR-306) when this builder was used before
     * @throws WaitInterruptedException when the thread is interrupted while it waits
     */
    Manager start();
}
