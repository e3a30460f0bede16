// SPDX-License-Identifier: Apache-2.0
/**
 * Jobs for workers that start processes of their own: a worker asks its master, and that asks its own, up to the one that
 * holds a real backend. So a compute node needs no rights at the cluster.
 *
 * <p>{@link io.fiber.runtime.remotejobs.RemoteJobBackend} is the worker's end: a backend like any other to the session there.
 * {@link io.fiber.runtime.remotejobs.RemoteJobServer} is the master's end: it submits what is asked for under names of its own, tells
 * what becomes of it, and ends what is left when the worker that asked has ended. What travels between the two is a
 * {@link io.fiber.runtime.remotejobs.RemoteJobRequest} and {@link io.fiber.runtime.remotejobs.RemoteJobReply}s; it is sealed like every
 * payload of the session. Where a worker's session has workers that ask again, its desk stands on its relay backend, and
 * the request goes on upwards by itself.
 */
@NullMarked
package io.fiber.runtime.remotejobs;

import org.jspecify.annotations.NullMarked;
