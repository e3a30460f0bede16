// SPDX-License-Identifier: Apache-2.0
/**
 * Processes as their master sees them. {@link io.fiber.runtime.process.ProcessMachine} says where one stands;
 * {@link io.fiber.runtime.process.RemoteWorker} joins it with the job that the backend runs and the link by which it is
 * spoken to; {@link io.fiber.runtime.process.WorkerSupervisor} holds what all of a session share. Workers that
 * start processes of their own are served by a {@link io.fiber.runtime.process.NestedJobHandler}.
 */
@NullMarked
package io.fiber.runtime.process;

import org.jspecify.annotations.NullMarked;
