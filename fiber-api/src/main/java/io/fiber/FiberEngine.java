// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import java.time.Duration;

/**
 * What runs the types of this package: a {@link java.util.ServiceLoader} service, of which exactly one must be on the class
 * path. A program does not call it; {@link Fiber} and {@link Manager} do. Thread-safe.
 *
 * @implSpec An implementation has a public constructor without parameters that does nothing which takes time: it is called
 *     at the first use of {@link Fiber}.
 */
public interface FiberEngine {

    /** Returns a new builder of a session. */
    FiberBuilder builder();

    /**
     * Returns the session of the worker that runs the calling code.
     *
     * @throws IllegalStateException (FBR-301) in a process that is no worker
     */
    Fiber current();

    /**
     * Connects this program to a manager of another one.
     *
     * @param limit how long it may take
     * @throws FiberException as {@link Manager#connect(ManagerEndpoint, Duration)} throws it
     */
    ConnectedManager connect(ManagerEndpoint endpoint, Duration limit);
}
