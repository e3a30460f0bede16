// SPDX-License-Identifier: Apache-2.0
/**
 * What the JDK's flight recorder is told: {@link io.fiber.runtime.telemetry.Telemetry} is the way in, the events are described
 * in {@code docs/monitoring.md}. Where no recording was ever started nothing of it is loaded, because the first event
 * class of a JVM costs more than a tenth of a second.
 */
@NullMarked
package io.fiber.runtime.telemetry;

import org.jspecify.annotations.NullMarked;
