// SPDX-License-Identifier: Apache-2.0
/**
 * Runs parts of a Java program as processes on a laptop or a cluster. "Fiber" means processes here, not the fibers of
 * Loom.
 *
 * <p>A program opens a session and asks it for processes and pools:
 *
 * <pre>{@code
 * try (Fiber fiber = Fiber.open(); Pool pool = fiber.pool(4)) {
 *     List<Double> scores = pool.map(Model::score, candidates);
 * }
 * }</pre>
 *
 * <p>The backend on the class path decides where they run; the program stays the same. The main types:
 *
 * <ul>
 *   <li>{@link io.fiber.Fiber} is the session, {@link io.fiber.FiberBuilder} opens it with options, and {@link
 *       io.fiber.CurrentProcess} identifies the calling process
 *   <li>{@link io.fiber.FiberProcess} is a single process, and {@link io.fiber.ProcessState} its state
 *   <li>{@link io.fiber.Pool} is a set of workers, {@link io.fiber.TaskRunner} has its methods that run tasks, and
 *       {@link io.fiber.CallOptions} their options. {@link io.fiber.PoolBuilder} creates a pool, {@link
 *       io.fiber.WorkerLocal} is a value of each worker, and {@link io.fiber.PoolState} and {@link
 *       io.fiber.PoolStatistics} describe a pool
 *   <li>{@link io.fiber.Ring} is a set of processes that run one function together, each a {@link io.fiber.RingMember}.
 *       {@link io.fiber.RingBuilder} creates a ring
 *   <li>{@link io.fiber.Manager} is a process that hosts shared objects, and {@link io.fiber.ManagerBuilder} starts it.
 *       Its objects are {@link io.fiber.ManagedList}, {@link io.fiber.ManagedMap}, {@link io.fiber.ManagedNamespace},
 *       {@link io.fiber.ManagedValue}, {@link io.fiber.ManagedArray}; {@link io.fiber.FiberQueue}, {@link
 *       io.fiber.JoinableQueue}; {@link io.fiber.ManagedLock}, {@link io.fiber.ManagedCondition}, {@link
 *       io.fiber.ManagedSemaphore}, {@link io.fiber.ManagedEvent}, {@link io.fiber.ManagedBarrier}; and objects of your
 *       own classes, for which an {@link io.fiber.AsyncProxy} returns futures
 *   <li>{@link io.fiber.ManagedObjects} has the methods that create them. {@link io.fiber.ConnectedManager} offers the
 *       same to another program, which finds the manager by its {@link io.fiber.ManagerEndpoint}
 *   <li>{@link io.fiber.FiberException} is the base class of all errors, each with a code that {@code docs/errors.md}
 *       explains
 *   <li>{@link io.fiber.function} has the types of functions that travel
 *   <li>{@link io.fiber.FiberEngine} is the implementation, which each backend brings with it
 * </ul>
 *
 * <p>Types of this package are thread-safe unless they say otherwise; builders are not. A method that waits says so. If
 * its thread is interrupted meanwhile, it throws {@link io.fiber.WaitInterruptedException} and leaves the interrupt
 * flag set. Arguments are never null unless marked. Mistakes of the program, such as the use of a closed session, are
 * {@link IllegalArgumentException} and {@link IllegalStateException}, as in the JDK. What can happen to a program
 * without mistakes is a {@link io.fiber.FiberException}.
 *
 * <p>Programs implement {@link io.fiber.ProgressListener} and the types of {@link io.fiber.function} alone. The other
 * interfaces may get methods, and enums constants, in a minor release.
 */
@NullMarked
package io.fiber;

import org.jspecify.annotations.NullMarked;
