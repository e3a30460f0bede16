// SPDX-License-Identifier: Apache-2.0
/** Publishes the counters of pools to a Micrometer registry, with {@link io.fiber.metrics.micrometer.PoolMetrics}. */
@NullMarked
package io.fiber.metrics.micrometer;

import org.jspecify.annotations.NullMarked;
