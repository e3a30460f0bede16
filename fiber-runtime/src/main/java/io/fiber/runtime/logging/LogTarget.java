// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.logging;

/** Takes records. Thread-safe; never throws because a record cannot be written. */
interface LogTarget {

    boolean isLoggable(String logger, System.Logger.Level level);

    void log(LogRecord entry);
}
