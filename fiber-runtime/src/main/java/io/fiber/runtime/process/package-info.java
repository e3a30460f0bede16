// SPDX-License-Identifier: Apache-2.0
/**
 * Processes as their master sees them: submitted as jobs, admitted by the handshake, watched until their end.
 *
 * <p>Row 4; it uses the rows below, and neither {@code worker} beside it nor a package above it: what is above
 * registers itself through {@link WorkerOwner} and {@link LookupHandler}.
 *
 * <p>The way of a start: {@link WorkerSupervisor} takes a list of workers of one spec, makes a link, a key, a bootstrap
 * and a {@link RemoteWorker} for each, and submits them to the backend as one submission, on a thread that may block.
 * Events of the backend and messages of the link come to the {@link RemoteWorker}, which runs the master's handshake
 * and passes both to its {@link ProcessMachine}, the states of a process. When a start fails, {@link
 * StartFailureClassifier} tells a lack of room from a fault. Everything is told to the {@link WorkerOwner}: a
 * {@link ProcessClient}, which is what a program holds of a process with one program, or a pool.
 *
 * <p>The way of a message of an admitted worker, in {@link RemoteWorker}: ready, leaving and goodbye go to the machine
 * and the owner; calls of objects to the {@link io.fiber.runtime.rpc.RpcRouter}; everything else to the owner.
 * Look-ups (a class, a part of a broadcast value) are calls, which a worker makes by its {@link LookupClient}: {@link
 * LookupServer} answers them, whose number the {@link io.fiber.runtime.protocol.WorkerRole} of each worker of the session
 * has.
 *
 * <p>{@link SessionContext} is what the threads of callers use of a session; {@link SubmissionBudget} bounds what they
 * submit.
 */
@NullMarked
package io.fiber.runtime.process;

import org.jspecify.annotations.NullMarked;
