// SPDX-License-Identifier: Apache-2.0
/**
 * The backend {@code gridengine}: a job is a task of an array job of Grid Engine. {@link
 * io.fiber.backend.gridengine.GridEngineBackendProvider} has the options and opens the {@link
 * io.fiber.backend.support.batch.BatchBackend}; {@code GridEngine} runs qsub, qstat, qdel and qacct, and parses what they
 * say.
 */
@NullMarked
package io.fiber.backend.gridengine;

import org.jspecify.annotations.NullMarked;
