// SPDX-License-Identifier: Apache-2.0
/** Binds what pools count to a Micrometer registry: {@link io.fiber.metrics.micrometer.PoolMetrics}. */
@NullMarked
package io.fiber.metrics.micrometer;

import org.jspecify.annotations.NullMarked;
