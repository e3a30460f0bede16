// SPDX-License-Identifier: Apache-2.0
/**
 * Jobs for workers that start processes of their own: a worker asks its master for them, which asks its own master, up
 * to the process that holds a real backend. A compute node needs no rights at the cluster for that.
 *
 * <p>Row 5; it uses the rows below and no other package of its row.
 *
 * <p>The way of a job: the session of a worker submits to a {@link RemoteJobBackend}, which is a backend like any
 * other to it. The backend seals a {@link RemoteJobRequest} (resources, environment, names and bootstraps, not how a
 * worker is started) and calls the {@link RemoteJobServer} of its master, whose number the {@link
 * io.fiber.runtime.protocol.WorkerRole} has. The server submits it on a thread of the session to the session's own
 * backend, under names that no other worker's jobs have, notes the jobs and answers with their ids. It tells an
 * object that the worker's backend hosts of each event; a thread of that backend reads it and tells the listener of
 * the {@link RemoteJob}. {@link JobMessages} lists the calls and writes what they carry. When the worker ends, the
 * server ends by force what it had asked for. Where the master is a worker itself, its backend is a {@link
 * RemoteJobBackend} too, and the request goes on upwards.
 */
@NullMarked
package io.fiber.runtime.remotejobs;

import org.jspecify.annotations.NullMarked;
