// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import java.time.Duration;

/**
 * The implementation behind this package: a {@link java.util.ServiceLoader} service, of which exactly one must be on
 * the class path. Programs neither call nor implement it; {@link Fiber} and {@link Manager} call it, and any release may
 * change it. Thread-safe.
 *
 * @implSpec An implementation has a public constructor without parameters that takes no noticeable time, because the
 *     first use of {@link Fiber} calls it.
 */
public interface FiberEngine {

    /** Returns a new builder for a session. */
    FiberBuilder builder();

    /**
     * Returns the session of the worker that runs the calling code.
     *
     * @throws IllegalStateException (FBR-301) in a process that is not a worker
     */
    Fiber current();

    /**
     * Connects this program to a manager of another program.
     *
     * @param limit how long connecting may take
     * @throws FiberException as {@link Manager#connect(ManagerEndpoint, Duration)} throws it
     */
    ConnectedManager connect(ManagerEndpoint endpoint, Duration limit);
}
