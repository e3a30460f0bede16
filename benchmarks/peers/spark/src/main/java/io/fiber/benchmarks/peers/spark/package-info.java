// SPDX-License-Identifier: Apache-2.0
/** Apache Spark in {@code ./benchmark peers}. */
@NullMarked
package io.fiber.benchmarks.peers.spark;

import org.jspecify.annotations.NullMarked;
