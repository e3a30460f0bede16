// SPDX-License-Identifier: Apache-2.0
/**
 * The compatibility kit. {@link io.fiber.tck.StandaloneTck} runs it from a command line, without a test class.
 *
 * <p>Authors of backends extend {@link io.fiber.tck.backend.BackendTck} and describe the platform with a {@link
 * io.fiber.tck.backend.BackendFixture}. Authors of transports extend {@link io.fiber.tck.transport.TransportTck} with a
 * {@link io.fiber.tck.transport.TransportFixture}. {@link io.fiber.tck.session} tests what pools, queues, pipes,
 * managers and rings promise on a backend.
 *
 * <p>The groups of clauses are the package-private classes whose names end in {@code Contract}; each {@link
 * io.fiber.tck.clause.Clause} is a test. {@link io.fiber.tck.memory} and {@link io.fiber.tck.simulated} are
 * implementations inside one JVM that pass and can inject faults. {@link io.fiber.tck.probe} has the programs that a
 * backend runs. {@link io.fiber.tck.report} writes the results, and {@link io.fiber.tck.cluster} runs tests where a real
 * cluster can be reached.
 */
@NullMarked
package io.fiber.tck;

import org.jspecify.annotations.NullMarked;
