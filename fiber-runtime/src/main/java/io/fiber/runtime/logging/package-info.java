// SPDX-License-Identifier: Apache-2.0
/**
 * Fiber's own log records, and what becomes of throwables that foreign code throws into the engine.
 *
 * <p>Row 0; it uses {@code config}.
 *
 * <p>The way of a record: {@link Logs#of} gives a class its {@link java.lang.System.Logger}, which costs nothing until
 * something is logged. The logger makes a {@link LogRecord}; {@link Logs} hands it to the {@link LogTarget} of this
 * process and to each {@link LogFile} that a session has opened. In a program the target is {@link SystemTarget}, what
 * the JVM logs with. In a worker it is the file of the setting {@code log-file}, or else the {@link WorkerConsole};
 * {@link JulHandler} brings there what providers log. In a file a record has time, level and thread.
 * The console passes it to the {@link java.lang.System.Logger} that the user has installed. Without one it writes to
 * standard error {@code fiber:}, the worker's name, and the message, without a time; the backend carries these lines to
 * where the setting {@code output} says.
 *
 * <p>{@link Faults} has the one rule for throwables: a fault of called code ends what was asked and nothing else; a
 * failure of the JVM ends the conductor that met it. What must be done though memory is short is tried again there, too.
 */
@NullMarked
package io.fiber.runtime.logging;

import org.jspecify.annotations.NullMarked;
