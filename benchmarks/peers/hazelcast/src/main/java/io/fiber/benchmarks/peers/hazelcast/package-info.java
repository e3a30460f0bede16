// SPDX-License-Identifier: Apache-2.0
/** Hazelcast in {@code ./benchmark peers}. */
@NullMarked
package io.fiber.benchmarks.peers.hazelcast;

import org.jspecify.annotations.NullMarked;
