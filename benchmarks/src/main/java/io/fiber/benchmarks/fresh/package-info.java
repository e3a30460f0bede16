// SPDX-License-Identifier: Apache-2.0
/**
 * What a program pays that has just been started: {@link io.fiber.benchmarks.fresh.FreshProgram} runs a step with Fiber, and
 * with two pools as plain as a JVM permits, over Aeron and over sockets. These have neither recovery nor security nor
 * elasticity, so they show what Fiber's own work costs. {@code ./benchmark fresh} runs them beside Python's multiprocessing.
 */
@NullMarked
package io.fiber.benchmarks.fresh;

import org.jspecify.annotations.NullMarked;
