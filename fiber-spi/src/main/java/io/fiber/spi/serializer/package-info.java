// SPDX-License-Identifier: Apache-2.0
/**
 * The contract of a serializer: objects to bytes and back. The runtime has a fast path of its own for boxed primitives,
 * strings and arrays of primitives; everything else goes through the {@link io.fiber.spi.serializer.ObjectSerializer}
 * of the session, by default Java serialization behind a filter.
 */
@NullMarked
package io.fiber.spi.serializer;

import org.jspecify.annotations.NullMarked;
