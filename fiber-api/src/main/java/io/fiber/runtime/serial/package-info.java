// SPDX-License-Identifier: Apache-2.0
/**
 * Objects to bytes and back.
 *
 * <p>{@link io.fiber.runtime.serial.ValueCodec} is the way in: values of the JDK's simplest types in a format of its own,
 * everything else through the session's {@link io.fiber.spi.serializer.ObjectSerializer}, by default that of
 * {@link io.fiber.runtime.serial.JavaSerializerProvider} behind a {@link io.fiber.runtime.serial.TypeFilter}. What goes
 * wrong becomes an {@link io.fiber.SerializationException} that names the {@link io.fiber.runtime.serial.Subject} and the
 * way to the object at fault. {@link io.fiber.runtime.serial.FailureCodec} carries what a task has thrown.
 */
@NullMarked
package io.fiber.runtime.serial;

import org.jspecify.annotations.NullMarked;
