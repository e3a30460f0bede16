// SPDX-License-Identifier: Apache-2.0
/**
 * A transport inside one JVM, for tests: {@link io.fiber.tck.memory.MemoryNetwork} joins the
 * {@link io.fiber.tck.memory.MemoryTransport}s that its provider makes, and is where delays and cuts are switched on.
 * Bounded, deterministic, without threads; it passes the kit of transports.
 *
 * <p>It is not registered for {@link java.util.ServiceLoader}: a test hands the provider over, so that a class path
 * with the kit on it offers no transport that was not asked for.
 */
@NullMarked
package io.fiber.tck.memory;

import org.jspecify.annotations.NullMarked;
