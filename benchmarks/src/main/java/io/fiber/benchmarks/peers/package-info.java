// SPDX-License-Identifier: Apache-2.0
/**
 * Fiber compared with other systems with worker processes. {@link io.fiber.benchmarks.peers.PeerProgram} runs a step of
 * {@code ./benchmark peers}, and {@link io.fiber.benchmarks.peers.FiberPeer} runs it with Fiber. The programs of the
 * other systems are in {@code benchmarks/peers}, a Maven profile, and in {@code src/main/python}.
 */
@NullMarked
package io.fiber.benchmarks.peers;

import org.jspecify.annotations.NullMarked;
