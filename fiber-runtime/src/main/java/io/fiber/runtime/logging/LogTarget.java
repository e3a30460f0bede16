// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.logging;

/** Receives records. Never throws because a record cannot be written. Thread-safe. */
interface LogTarget {

    boolean isLoggable(String logger, System.Logger.Level level);

    void log(LogRecord entry);
}
