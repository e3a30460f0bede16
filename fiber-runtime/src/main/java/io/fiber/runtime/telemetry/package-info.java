// SPDX-License-Identifier: Apache-2.0
/**
 * The events of the JDK's flight recorder; {@code docs/monitoring.md} describes them for users.
 *
 * <p>Row 0; it uses nothing of the runtime.
 *
 * <p>The way of an event: the code that begins something asks {@link Telemetry} for a span. Where no recording was ever
 * started, the span does nothing and no event class is loaded, because the first event class of a JVM costs more than a
 * tenth of a second. Otherwise the span is an event, which its end commits:
 * <ul>
 *   <li>{@link ChunkSpan}: a chunk is at a worker, as the pool sees it ({@link ChunkEvent});
 *   <li>{@link TaskSpan}: a task runs, in the worker ({@link TaskEvent});
 *   <li>{@link ProcessSpan}: a process lives, from its submission on, as its master sees it (a {@link SpanEvent}, of
 *       a worker or of a process that runs one program).
 * </ul>
 */
@NullMarked
package io.fiber.runtime.telemetry;

import org.jspecify.annotations.NullMarked;
