// SPDX-License-Identifier: Apache-2.0
/**
 * Fiber's own records. {@link io.fiber.runtime.logging.Logs} gives out loggers, which are {@link java.lang.System.Logger}s, and
 * knows where the records of this process go: {@code SystemTarget} hands them to what the JVM logs with,
 * {@code LogFile} writes a file of limited size whose name {@code LogPattern} makes, {@code WorkerConsole} is for workers
 * without one, and {@code JulHandler} collects there what providers log in a worker.
 */
@NullMarked
package io.fiber.runtime.logging;

import org.jspecify.annotations.NullMarked;
