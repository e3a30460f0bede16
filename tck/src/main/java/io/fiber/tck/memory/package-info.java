// SPDX-License-Identifier: Apache-2.0
/**
 * A transport inside one JVM, for tests. {@link io.fiber.tck.memory.MemoryNetwork} connects the {@link
 * io.fiber.tck.memory.MemoryTransport}s that its provider creates, and injects delays and cuts. It is bounded,
 * deterministic and has no threads. It passes the kit of transports.
 *
 * <p>It is not registered for {@link java.util.ServiceLoader}: a test passes the provider on, so that a class path with
 * the kit offers no transport that was not requested.
 */
@NullMarked
package io.fiber.tck.memory;

import org.jspecify.annotations.NullMarked;
