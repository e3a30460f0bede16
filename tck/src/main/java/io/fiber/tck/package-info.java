// SPDX-License-Identifier: Apache-2.0
/**
 * The contracts of backends and transports as tests. Authors of backends extend {@link io.fiber.tck.BackendTck} and
 * describe the platform with a {@link io.fiber.tck.BackendFixture}. Authors of transports extend {@link
 * io.fiber.tck.TransportTck} with a {@link io.fiber.tck.TransportFixture}. {@link io.fiber.tck.StandaloneTck} runs both
 * from a command line, without a test class.
 *
 * <p>{@link io.fiber.tck.QueueTck}, {@link io.fiber.tck.PipeTck}, {@link io.fiber.tck.ManagerTck} and {@link
 * io.fiber.tck.RingTck} test what queues, pipes, managers and rings promise on a backend, with whole sessions; {@link
 * io.fiber.tck.ObjectsTck} combines the four. {@link io.fiber.tck.WorkerKillersTck} tests that tasks which end their
 * workers cost few jobs of a platform.
 *
 * <p>The groups of clauses are the package-private classes whose names end in {@code Contract}; each {@code @Clause} is
 * a test. {@link io.fiber.tck.memory} and {@link io.fiber.tck.simulated} are implementations inside one JVM that pass
 * and can inject faults. {@link io.fiber.tck.probe} has the programs that a backend runs. {@link io.fiber.tck.report}
 * writes the results, and {@link io.fiber.tck.cluster} runs tests where a real cluster can be reached.
 */
@NullMarked
package io.fiber.tck;

import org.jspecify.annotations.NullMarked;
