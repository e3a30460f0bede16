// SPDX-License-Identifier: Apache-2.0
/**
 * The master's view of its processes: submitted as jobs, admitted by the handshake, and watched until they end.
 *
 * <p>Row 4; it uses the rows below, and neither {@code worker} beside it nor a package above it: what is above
 * registers itself through {@link WorkerOwner} and {@link LookupHandler}.
 *
 * <p>The way of a start: {@link WorkerSupervisor} receives a list of workers with one spec and creates a link, a key, a
 * bootstrap and a {@link RemoteWorker} for each. A {@link JobSubmission} submits them to the backend, on a thread that
 * may block. Events of the backend and messages of the link arrive at the {@link RemoteWorker}, which runs the master's
 * handshake and passes both to its {@link ProcessMachine}, the states of a process. If a start fails, {@link
 * StartFailureClassifier} says why, and {@link ProcessEnd#isByChance} whether it counts as a fault of the program. Everything is reported to the {@link WorkerOwner}:
 * a pool, or a {@link ProcessClient}, which is the program's handle of a process.
 *
 * <p>The way of a message of an admitted worker, in {@link RemoteWorker}: ready, leaving and goodbye go to the machine
 * and the owner; calls of objects go to the {@link io.fiber.runtime.rpc.RpcRouter}; everything else goes to the owner.
 * Look-ups (a class, a part of a broadcast value) are calls, which a worker makes with its {@link LookupClient}. {@link
 * LookupServer} answers them; its number is in the {@link io.fiber.runtime.protocol.WorkerRole} of each worker of the
 * session.
 *
 * <p>{@link SessionContext} is the part of a session that callers' threads use; {@link SubmissionBudget} limits what
 * they submit.
 */
@NullMarked
package io.fiber.runtime.process;

import org.jspecify.annotations.NullMarked;
