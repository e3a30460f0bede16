// SPDX-License-Identifier: Apache-2.0
/**
 * A session in a world of one thread, with a time of its own and a seed: the real conductor, supervisor, pool and worker's
 * agent over a network and a cluster that delay, cut, lose and kill.
 *
 * <p>{@link io.fiber.runtime.simulation.World} has the time and the chance; {@link
 * io.fiber.runtime.simulation.SimulatedNetwork} is the transport and {@link
 * io.fiber.runtime.simulation.SimulatedCluster} the backend of {@link io.fiber.runtime.simulation.SessionSimulation},
 * {@link io.fiber.runtime.simulation.Faults} what goes wrong, {@link io.fiber.runtime.simulation.CallScript} what callers
 * ask. {@link io.fiber.runtime.simulation.Simulate} is the program behind {@code ./simulate}. What needs the inside of a
 * room stands in that room's package: {@code VirtualPool} and {@code VirtualCaller} of the pool, {@code VirtualWorker} of
 * the worker, {@code VirtualQueue} of the queue, {@code VirtualLock} of the manager.
 *
 * <p>{@link io.fiber.runtime.simulation.SharedSimulation} is another world: processes that share a queue and a lock, which
 * {@link io.fiber.runtime.simulation.WatchedQueue} and {@link io.fiber.runtime.simulation.WatchedLock} watch where they
 * live. {@link io.fiber.runtime.simulation.ScaleSimulation} is a third one, without a fault, in which what the master
 * does takes as long as it really takes a processor; {@link io.fiber.runtime.simulation.Scale} is the program behind
 * {@code ./benchmark scale}. {@link io.fiber.runtime.simulation.Seeds} runs all schedules of a seed, {@link
 * io.fiber.runtime.simulation.Sweep} a row of seeds.
 */
@NullMarked
package io.fiber.runtime.simulation;

import org.jspecify.annotations.NullMarked;
