// SPDX-License-Identifier: Apache-2.0
/**
 * Fiber's own log, and the handling of exceptions from foreign code in the engine.
 *
 * <p>Row 0; it uses {@code config}.
 *
 * <p>The way of a record: {@link Logs#of} returns a class's {@link java.lang.System.Logger}, which costs nothing until
 * something is logged. The logger creates a {@link LogRecord}. {@link Logs} passes it on to the {@link LogTarget} of
 * this process and to each {@link LogFile} that a session has opened. In a program the target is {@link SystemTarget},
 * the JVM's logging. In a worker it is the file of the setting {@code log-file}, or otherwise the {@link
 * WorkerConsole}; {@link JulHandler} adds what providers log. In a file, a record has time, level and thread. The
 * console passes it on to the {@link java.lang.System.Logger} that the user has installed. Without one, it writes
 * {@code fiber:}, the worker's name and the message to standard error, without a time; the backend forwards these lines
 * to the destination in the setting {@code output}.
 *
 * <p>{@link Faults} has the single rule for exceptions: a fault of called code ends the request and nothing else; a
 * failure of the JVM ends the conductor in which it occurs. It also retries what must be done even if memory is short.
 */
@NullMarked
package io.fiber.runtime.logging;

import org.jspecify.annotations.NullMarked;
