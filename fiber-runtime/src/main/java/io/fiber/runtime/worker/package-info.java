// SPDX-License-Identifier: Apache-2.0
/**
 * The running of tasks in a worker's JVM.
 *
 * <p>Row 4; it uses the rows below, and not {@code process}: a worker's own workers are the business of its nested
 * session.
 *
 * <p>The way of a chunk: {@link WorkerAgent}, on the conductor, has shown the job's key (the worker's part of the
 * handshake) and knows each function as a {@link SentFunction}. It makes an assigned chunk into {@link Work} and gives
 * it to a {@link TaskExecutor}: a {@link TaskThread}, or with several task threads a {@link TaskCrew} of them. The task
 * thread deserializes the function once and each argument, runs the task under the {@link ItemWatch}, which interrupts
 * one that was cancelled or is past its deadline, and holds results for some milliseconds, for one {@link ResultBatch};
 * those of a {@link CombinedFunction} become one {@link PartialResult} a batch. The agent offers these to the master in
 * its next cycle.
 *
 * <p>Threads: a task thread runs the conductor's cycles between tasks, which saves two changes of threads for each
 * task; of several, {@link ConductorRotation} chooses one that has nothing to run.
 *
 * <p>The way in and out: {@link BootstrapReader} reads the bootstrap, {@link EntryLimit} ends a worker that no master
 * admits. {@link TermSignal} turns SIGTERM into a drain. {@link WorkerShutdown} ends what the worker has started, says
 * goodbye and waits until the master has read it; {@link ExitCleanup} removes files, however the process ends,
 * and {@link ExitWatch} halts a JVM that has begun to end and does not.
 */
@NullMarked
package io.fiber.runtime.worker;

import org.jspecify.annotations.NullMarked;
