// SPDX-License-Identifier: Apache-2.0
/**
 * The processes of managers: how a session starts one, and how other programs use its objects.
 *
 * <p>{@link Managers} starts a process that runs {@code ManagerProgram} and waits until it reports. A program then holds a
 * {@link ManagerClient}.
 *
 * <p>The way of another program: {@link RemoteManagerServer} listens through a transport, and {@link ClientRegistry} takes
 * each newcomer's link and shakes hands. The other end is the {@link ConnectedManagerClient} in that program. A program
 * that has proved the key gets an {@link AccessGrant}: a place in the tree of processes, as a worker has one. From then on
 * its calls are ordinary calls of {@code rpc}.
 *
 * <p>To change how a manager starts or ends, open {@link Managers} or {@link ManagerClient}; who is let in,
 * {@link ClientRegistry}; what a connected program is told, {@link ConnectedManagerClient}.
 */
@NullMarked
package io.fiber.runtime.shared.managers;

import org.jspecify.annotations.NullMarked;
