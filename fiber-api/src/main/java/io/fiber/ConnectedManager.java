// SPDX-License-Identifier: Apache-2.0
package io.fiber;

/**
 * A {@link Manager} of another program, to which this program is {@linkplain Manager#connect connected}. Its handles
 * call the objects of the other program. What they hold there, for example a lock, belongs to this connection and is
 * released when the connection ends, even if this program is killed.
 *
 * <p>Use the handles in this process only, while it is connected. Do not send them to processes of a session of this
 * program: those must connect themselves. Pipes and broadcast values of the other program cannot be used here.
 *
 * <p>If the connection is lost, for example because the other program has ended, all pending and later calls fail with
 * {@link FiberException} FBR-442.
 *
 * <p>Thread-safe.
 */
public interface ConnectedManager extends ManagedObjects, AutoCloseable {

    /** Returns the address and key of the manager. */
    ManagerEndpoint endpoint();

    /**
     * Ends the connection. The manager and its objects stay, and pending calls fail with FBR-448. Blocks for a bounded
     * time. Idempotent.
     */
    @Override
    void close();
}
