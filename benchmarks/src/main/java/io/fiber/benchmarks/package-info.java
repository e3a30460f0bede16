// SPDX-License-Identifier: Apache-2.0
/**
 * Whole-process benchmarks, run by {@code ./benchmark}; {@code docs/performance.md} has method and figures.
 *
 * <ul>
 *   <li>{@link io.fiber.benchmarks.fresh}: what a program pays that has just been started
 *   <li>{@link io.fiber.benchmarks.peers}: Fiber beside Hazelcast, Ignite, Spark and others
 *   <li>{@link io.fiber.benchmarks.OverheadProgram}: what a pool costs; its peers are in {@code src/main/python}
 *   <li>{@link io.fiber.benchmarks.ConnectionBenchmark}: what a link costs compared with raw Aeron
 * </ul>
 */
@NullMarked
package io.fiber.benchmarks;

import org.jspecify.annotations.NullMarked;
