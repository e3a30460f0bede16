// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import io.fiber.function.RemoteRunnable;

/** Sets the options of a {@link Manager} and starts it. {@link Fiber#managerBuilder} creates it. */
public interface ManagerBuilder extends JobBuilder<ManagerBuilder> {

    /**
     * Sets what the manager's process runs before it hosts objects.
     *
     * @param program if it throws, the start fails. Nothing by default
     */
    ManagerBuilder initializer(RemoteRunnable program);

    /**
     * Starts the manager and waits until it is ready.
     *
     * @throws ProcessStartException if its process cannot be started
     * @throws RemoteTaskException if the initializer throws
     * @throws FiberException FBR-437 if the process ended before the manager was ready
     * @throws IllegalStateException (FBR-302) if the session is closed
     * @throws WaitInterruptedException if the thread is interrupted while it waits
     */
    Manager start();
}
