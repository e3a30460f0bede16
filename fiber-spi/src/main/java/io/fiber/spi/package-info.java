// SPDX-License-Identifier: Apache-2.0
/**
 * What all providers share: {@link io.fiber.spi.Provider how they are found}, {@link io.fiber.spi.Probe what they
 * find out about the machine}, {@link io.fiber.spi.Options how they are configured}. Two values of the contract of
 * backends are here too, since other modules use them: {@link io.fiber.spi.Resources} and {@link io.fiber.spi.Secret}.
 *
 * <p>The contracts themselves: {@link io.fiber.spi.backend} starts jobs, {@link io.fiber.spi.transport} carries frames
 * between processes, {@link io.fiber.spi.serializer} turns objects into bytes. None of them knows another.
 */
@NullMarked
package io.fiber.spi;

import org.jspecify.annotations.NullMarked;
