// SPDX-License-Identifier: Apache-2.0
/**
 * Processes of one Java program on a laptop or on a cluster: "fiber" means processes on a cluster, not Loom.
 *
 * <p>A program opens a session and asks it for processes and pools:
 *
 * <pre>{@code
 * try (Fiber fiber = Fiber.open(); Pool pool = fiber.pool(4)) {
 *     List<Double> scores = pool.map(Model::score, candidates);
 * }
 * }</pre>
 *
 * <p>Which cluster runs them is decided by the backend on the class path; the program stays the same. The map:
 *
 * <ul>
 *   <li>{@link io.fiber.Fiber} is the session, {@link io.fiber.FiberBuilder} its settings,
 *       {@link io.fiber.CurrentProcess} who am I
 *   <li>{@link io.fiber.FiberProcess} is one process, {@link io.fiber.ProcessState} where it stands
 *   <li>{@link io.fiber.Pool} is a set of workers, {@link io.fiber.TaskRunner} what can be asked of it,
 *       {@link io.fiber.CallOptions} how; {@link io.fiber.PoolBuilder} makes one;
 *       {@link io.fiber.WorkerLocal} is state of each worker; {@link io.fiber.PoolState} and {@link io.fiber.PoolStatistics} tell about it
 *   <li>{@link io.fiber.Ring} is a set of processes that run one function together, each a {@link io.fiber.RingMember};
 *       {@link io.fiber.RingBuilder} makes one
 *   <li>{@link io.fiber.Manager} is a process that hosts shared objects: {@link io.fiber.ManagedList},
 *       {@link io.fiber.ManagedMap}, {@link io.fiber.ManagedNamespace}, {@link io.fiber.ManagedValue},
 *       {@link io.fiber.ManagedArray}; {@link io.fiber.FiberQueue}, {@link io.fiber.JoinableQueue};
 *       {@link io.fiber.ManagedLock}, {@link io.fiber.ManagedCondition}, {@link io.fiber.ManagedSemaphore},
 *       {@link io.fiber.ManagedEvent}, {@link io.fiber.ManagedBarrier}; objects of the program's own, of which an
 *       {@link io.fiber.AsyncProxy} answers with futures; {@link io.fiber.ManagerBuilder} starts one. {@link io.fiber.ManagedObjects} is what a manager offers, to a
 *       {@link io.fiber.ConnectedManager} of another program as well, which finds it by its {@link io.fiber.ManagerEndpoint}
 *   <li>{@link io.fiber.FiberException} is what all errors have in common: a code that {@code docs/errors.md} explains
 *   <li>{@link io.fiber.function} holds the functions that travel
 *   <li>{@link io.fiber.FiberEngine} is what runs all this; each backend brings one
 * </ul>
 *
 * <p>Types of this package are thread-safe unless they say otherwise (builders belong to one thread). A method that
 * waits says so; if its thread is interrupted meanwhile it throws {@link io.fiber.WaitInterruptedException} and leaves
 * the interrupt flag set. Arguments are never null unless marked.
 */
@NullMarked
package io.fiber;

import org.jspecify.annotations.NullMarked;
