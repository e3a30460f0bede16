// SPDX-License-Identifier: Apache-2.0
package io.fiber;

/**
 * A {@link Manager} of another program, to which this one is {@linkplain Manager#connect connected}. Its handles call the
 * other program's objects; what they hold there, a lock for example, belongs to this connection and is given back when it
 * ends, also when this program is killed.
 *
 * <p>Handles are of use in this process as long as it is connected. They do not travel to processes of a session of this
 * program: those connect themselves. Pipes and broadcast values of the other program cannot be used here.
 *
 * <p>When the connection is lost, because the other program has ended for example, every call under way and every later one
 * fails with {@link FiberException} FBR-442.
 *
 * <p>Thread-safe.
 */
public interface ConnectedManager extends ManagedObjects, AutoCloseable {

    /** Returns where the manager is. */
    ManagerEndpoint endpoint();

    /**
     * Ends the connection; the manager and its objects stay. Calls under way fail with FBR-448. Blocks for a bounded time.
     * May be called twice.
     */
    @Override
    void close();
}
