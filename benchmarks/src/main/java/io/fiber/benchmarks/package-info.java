// SPDX-License-Identifier: Apache-2.0
/**
 * Benchmarks of whole programs, run by {@code ./benchmark}; {@code docs/performance.md} has the method and the figures.
 *
 * <ul>
 *   <li>{@link io.fiber.benchmarks.fresh}: the cost for a program that has just been started
 *   <li>{@link io.fiber.benchmarks.peers}: Fiber compared with Hazelcast, Ignite, Spark and others
 *   <li>{@link io.fiber.benchmarks.OverheadProgram}: the cost of a pool; the programs to compare it with are in {@code
 *       src/main/python}
 *   <li>{@link io.fiber.benchmarks.ConnectionBenchmark}: the cost of a link compared with raw Aeron
 * </ul>
 */
@NullMarked
package io.fiber.benchmarks;

import org.jspecify.annotations.NullMarked;
