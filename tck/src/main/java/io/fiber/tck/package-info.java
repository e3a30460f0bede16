// SPDX-License-Identifier: Apache-2.0
/**
 * The contracts of backends and transports as tests. The author of a backend extends {@link io.fiber.tck.BackendTck} and
 * describes the platform by a {@link io.fiber.tck.BackendFixture}; the author of a transport extends
 * {@link io.fiber.tck.TransportTck} with a {@link io.fiber.tck.TransportFixture}. {@link io.fiber.tck.StandaloneTck} runs
 * the first from a command line, without any test class. What queues, pipes, managers and rings promise on a backend is
 * tested by {@link io.fiber.tck.QueueTck}, {@link io.fiber.tck.PipeTck}, {@link io.fiber.tck.ManagerTck} and
 * {@link io.fiber.tck.RingTck}, with whole sessions; {@link io.fiber.tck.ObjectsTck} is all four.
 * {@link io.fiber.tck.WorkerKillersTck} tests that what ends its workers ends few jobs of a platform.
 *
 * <p>The groups of clauses are the package-private classes whose names end in {@code Contract}; one {@code @Clause} is one
 * test. {@link io.fiber.tck.memory} and {@link io.fiber.tck.simulated} are implementations inside one JVM that pass, with
 * switches for faults; {@link io.fiber.tck.probe} holds the programs that a backend is made to run;
 * {@link io.fiber.tck.report} writes what passed; {@link io.fiber.tck.cluster} runs tests where a real cluster can be reached.
 */
@NullMarked
package io.fiber.tck;

import org.jspecify.annotations.NullMarked;
