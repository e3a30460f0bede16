// SPDX-License-Identifier: Apache-2.0
/**
 * Jobs for workers that start processes of their own: a worker asks its master for them, which asks its own master, up
 * to the process that holds a real backend. A compute node needs no rights at the cluster for that.
 *
 * <p>Row 5; it uses the rows below and no other package of its row.
 *
 * <p>The way of a job: the session of a worker submits to a {@link RemoteJobBackend}, which is a backend like any other
 * to it. The backend makes a {@link RemoteSubmission}, seals a {@link RemoteJobRequest} (resources, environment, names
 * and bootstraps, not how a worker is started) and sends it over the link that the worker has anyway. In the master
 * {@link io.fiber.runtime.process.RemoteWorker} gives the message to the {@link RemoteJobServer}, which submits it on a
 * thread of the session to the session's own backend, under names that {@link JobNames} makes unique, and notes the
 * jobs as {@link SubmittedJobs} of a {@link RemoteJobClient}. Each event comes back as a {@link RemoteJobReply}; a
 * thread of the backend reads it and tells the listener of the {@link RemoteJob}. When the worker ends, the server ends
 * by force what it had asked for. Where the master is a worker itself, its backend is a {@link RemoteJobBackend} too,
 * and the request goes on upwards.
 */
@NullMarked
package io.fiber.runtime.remotejobs;

import org.jspecify.annotations.NullMarked;
