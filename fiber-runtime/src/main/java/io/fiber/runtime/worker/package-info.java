// SPDX-License-Identifier: Apache-2.0
/**
 * The running of tasks in a worker's JVM. {@link io.fiber.runtime.worker.WorkerAgent} holds the conversation with the master,
 * {@link io.fiber.runtime.worker.WorkerShutdown} ends it, {@link io.fiber.runtime.worker.TaskRunner} runs the user's code on a
 * thread of its own, and the conductor's cycles between tasks; of several, one at a time does
 * ({@link io.fiber.runtime.worker.ConductorRotation}).
 */
@NullMarked
package io.fiber.runtime.worker;

import org.jspecify.annotations.NullMarked;
