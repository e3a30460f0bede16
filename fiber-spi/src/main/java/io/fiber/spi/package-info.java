// SPDX-License-Identifier: Apache-2.0
/**
 * Types that all providers share. {@link io.fiber.spi.Provider} is what Fiber looks for, {@link io.fiber.spi.Probe} is
 * what a provider finds out about the machine, and {@link io.fiber.spi.Options} is its configuration. What programs use
 * too is in {@link io.fiber.spec}.
 *
 * <p>The contracts are in packages of their own: {@link io.fiber.spi.backend} starts jobs, {@link
 * io.fiber.spi.transport} carries frames between processes, and {@link io.fiber.spi.serializer} converts objects to
 * bytes. They do not depend on each other.
 */
@NullMarked
package io.fiber.spi;

import org.jspecify.annotations.NullMarked;
