// SPDX-License-Identifier: Apache-2.0
/**
 * Fiber beside other systems with worker processes: {@link io.fiber.benchmarks.peers.PeerProgram} runs a step of
 * {@code ./benchmark peers}, {@link io.fiber.benchmarks.peers.FiberPeer} with Fiber. The other systems' programs are in
 * {@code benchmarks/peers}, a profile of Maven, and in {@code src/main/python}.
 */
@NullMarked
package io.fiber.benchmarks.peers;

import org.jspecify.annotations.NullMarked;
