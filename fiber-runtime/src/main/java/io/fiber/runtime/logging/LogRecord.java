// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.logging;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One record.
 *
 * @param time when it was made
 * @param logger who made it
 * @param level how severe it is
 * @param thrown what was thrown; null when nothing was
 */
record LogRecord(
        Instant time,
        String logger,
        System.Logger.Level level,
        String message,
        @Nullable Throwable thrown) {}
