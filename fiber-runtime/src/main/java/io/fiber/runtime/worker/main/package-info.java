// SPDX-License-Identifier: Apache-2.0
/**
 * The main class of workers. {@link io.fiber.runtime.worker.main.WorkerMain} reads the
 * {@link io.fiber.runtime.protocol.Bootstrap}, dials its master, and puts together what a worker consists of, a session of its
 * own included. {@link io.fiber.runtime.worker.main.Rehearsal} does the same once, for a class-data archive.
 */
@NullMarked
package io.fiber.runtime.worker.main;

import org.jspecify.annotations.NullMarked;
