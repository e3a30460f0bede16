// SPDX-License-Identifier: Apache-2.0
/**
 * The contract of serializers, which convert objects to bytes and back. The runtime itself handles boxed primitives,
 * strings and arrays of primitives. Everything else goes through the session's {@link
 * io.fiber.spi.serializer.ObjectSerializer}, by default Java serialization behind a filter.
 */
@NullMarked
package io.fiber.spi.serializer;

import org.jspecify.annotations.NullMarked;
