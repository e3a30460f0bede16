// SPDX-License-Identifier: Apache-2.0
/**
 * The main class of workers.
 *
 * <p>Row 7, above all others, since it puts together what a worker consists of, a session of its own included.
 *
 * <p>The way of a start: {@link WorkerMain#main} reads the {@link io.fiber.runtime.protocol.Bootstrap}, takes transport
 * and settings from it, creates a conductor and dials the master. Its main thread is the I/O thread from then on, while {@link
 * io.fiber.runtime.worker.WorkerAgent} shakes hands with the master and {@link io.fiber.runtime.worker.EntryLimit}
 * limits how long that takes. When the master has admitted the worker, the main thread creates seals and codecs, the
 * {@link io.fiber.runtime.process.LookupClient}, the {@link io.fiber.runtime.rpc.RpcRouter}, pipes and the nested
 * session. It starts the threads of the {@link io.fiber.runtime.worker.TaskCrew}, and continues
 * until the agent stops it with an exit code.
 *
 * <p>{@link CdsTrainingRun} does the same once in one JVM, so that a class-data archive contains the classes of a
 * start.
 */
@NullMarked
package io.fiber.runtime.worker.main;

import org.jspecify.annotations.NullMarked;
