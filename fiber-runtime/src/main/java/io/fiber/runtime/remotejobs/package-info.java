// SPDX-License-Identifier: Apache-2.0
/**
 * Jobs for workers that start processes of their own. A worker asks its master for them, which asks its own master, up
 * to the process with a real backend. A compute node needs no rights at the cluster for that.
 *
 * <p>Row 5; it uses the rows below and no other package of its row.
 *
 * <p>The way of a job: the session of a worker submits to a {@link RemoteJobBackend}, which looks like any other
 * backend to it. The backend seals a {@link RemoteJobRequest} (resources, environment, names and bootstraps, not how a
 * worker is started) and calls the {@link RemoteJobServer} of its master, whose number is in the {@link
 * io.fiber.runtime.protocol.WorkerRole}. On a thread of the session, the server submits it to the session's own
 * backend, under names that no other worker's jobs have, records the jobs and answers with their ids. It sends each
 * event to an object that the worker's backend hosts. A thread of that backend reads it and calls the listener of the
 * {@link RemoteJob}. {@link JobMessages} lists the calls and writes their content. When the worker ends, the server
 * kills what it had requested. If the master is a worker itself, its backend is a {@link RemoteJobBackend} too, and
 * passes the request on upwards.
 */
@NullMarked
package io.fiber.runtime.remotejobs;

import org.jspecify.annotations.NullMarked;
