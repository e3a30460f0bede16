// SPDX-License-Identifier: Apache-2.0
/**
 * The cost for a program that has just been started. {@link io.fiber.benchmarks.fresh.FreshProgram} runs a step with
 * Fiber, and with two pools that are as simple as a JVM permits, over Aeron and over sockets. These pools have no
 * recovery, security or elasticity, so the difference is the cost of Fiber's own work. {@code ./benchmark fresh} also
 * runs Python's multiprocessing.
 */
@NullMarked
package io.fiber.benchmarks.fresh;

import org.jspecify.annotations.NullMarked;
