// SPDX-License-Identifier: Apache-2.0
/**
 * The other end: what runs in a worker's JVM. {@link io.fiber.runtime.worker.WorkerMain} reads the
 * {@link io.fiber.runtime.worker.Bootstrap}, dials its master and stands by;
 * {@link io.fiber.runtime.worker.WorkerAgent} holds the conversation, {@link io.fiber.runtime.worker.Departure} ends it,
 * {@link io.fiber.runtime.worker.TaskRunner} runs the user's code on a thread of its own, and the conductor's cycles between
 * tasks; of several, one at a time does ({@link io.fiber.runtime.worker.Shift}).
 */
@NullMarked
package io.fiber.runtime.worker;

import org.jspecify.annotations.NullMarked;
