// SPDX-License-Identifier: Apache-2.0
/**
 * Runs tasks in a worker's JVM.
 *
 * <p>Row 4; it uses the rows below, and not {@code process}: a worker's own workers are handled by its nested
 * session.
 *
 * <p>The way of a chunk: {@link WorkerAgent}, in the conductor, has authenticated itself with the job's key (the
 * worker's part of the handshake) and knows each function as a {@link SentFunction}. It converts an assigned chunk into
 * {@link Work} and passes it to a {@link TaskExecutor}: a {@link TaskThread}, or a {@link TaskCrew} if there are
 * several task threads. The task thread deserializes the function once, and each argument, and runs the task under the
 * {@link ItemWatch}, which interrupts tasks that were cancelled or are past their deadline. It collects results for
 * some milliseconds into one {@link Report}; those of a {@link CombinedFunction} become one {@link PartialResult}
 * a batch. The agent offers these to the master in its next cycle.
 *
 * <p>Threads: the main thread is the I/O thread. A task thread sends its reports itself if no other thread is in a
 * cycle, and parks until the I/O thread has read work for it.
 *
 * <p>Start and end: {@link BootstrapReader} reads the bootstrap, and {@link EntryLimit} ends a worker that no master
 * admits. At SIGTERM, {@link TermSignal}
 * has the master told, which then sends a drain to {@link WorkerAgent}. {@link WorkerShutdown} ends what the worker has started,
 * says goodbye and waits until the master has read it. {@link ExitCleanup} removes files, however the process ends, and
 * {@link ExitWatch} closes the connection when the shutdown hooks have ended, or halts a JVM whose hooks do not end.
 *
 * <p>To change how many results share a message, or how long one is held back, open {@link TaskThread}; what a report is,
 * {@link Report}; what a drained worker still does, {@link WorkerAgent}; when a task is interrupted, {@link ItemWatch}; in
 * which order a worker ends, {@link WorkerShutdown}.
 */
@NullMarked
package io.fiber.runtime.worker;

import org.jspecify.annotations.NullMarked;
