// SPDX-License-Identifier: Apache-2.0
/**
 * Objects that processes share: managers and what they make, queues, locks and other synchronizers, and the clients of
 * a manager in other programs.
 *
 * <p>Row 5; it uses the rows below and no other package of its row.
 *
 * <p>The way of a call to a value: {@link Managers} starts a process that runs {@link ManagerProgram} and waits until
 * it calls. A program holds a {@link ManagerClient}, which asks the {@link Registry} there to make an object of a
 * {@link Kind} and gets a proxy, for example {@link MapProxy}; the proxy travels as an {@link ObjectHandle}. The proxy
 * writes an {@link ObjectOperation} with its arguments and awaits the reply of its {@link RemoteObject} by {@code rpc}.
 * In the manager's process {@link ObjectHost} queues the call and runs calls one at a time, on a thread of the {@link
 * Host}, against the {@link Target}, for example {@link MapTarget}.
 *
 * <p>The way of a call to a lock, semaphore, event, barrier or managed queue: the proxy asks by {@link SyncProxy};
 * a {@link Machine}, for example {@link LockMachine}, takes it on the conductor as a {@link SyncCall}. It is answered
 * now or later; what waits is an entry in the machine, which decides its turn, and uses no thread of the manager. A
 * queue without a manager has its {@link QueueMachine} in the process that made it.
 *
 * <p>The way of another program: {@link RemoteManagerServer} has a transport listen, and {@link ClientRegistry} takes
 * each newcomer's link. The other end of its handshake is the {@link ConnectedManagerClient} there. A program that has
 * shown the key gets an {@link AccessGrant}: a place in the tree of processes, as a worker has one. From then on its
 * calls are ordinary calls of {@code rpc}.
 */
@NullMarked
package io.fiber.runtime.shared;

import org.jspecify.annotations.NullMarked;
