// SPDX-License-Identifier: Apache-2.0
/**
 * The events of the JDK's flight recorder; {@code docs/monitoring.md} describes them for users.
 *
 * <p>Row 0; it uses nothing of the runtime.
 *
 * <p>The way of an event: the code that starts something asks {@link Telemetry} for an event, and ends it. If no
 * recording was ever started, there is no event and no event class is loaded, because the first event class of a JVM
 * costs more than a tenth of a second.
 */
@NullMarked
package io.fiber.runtime.telemetry;

import org.jspecify.annotations.NullMarked;
