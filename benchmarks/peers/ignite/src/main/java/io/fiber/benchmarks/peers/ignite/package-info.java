// SPDX-License-Identifier: Apache-2.0
/** Apache Ignite in {@code ./benchmark peers}. */
@NullMarked
package io.fiber.benchmarks.peers.ignite;

import org.jspecify.annotations.NullMarked;
