// SPDX-License-Identifier: Apache-2.0
/**
 * Implements {@code fiber cp}. {@link io.fiber.cli.copy.Copying} opens a session with one process that sees the volume,
 * and connects two halves with a pipe: {@code Sending} reads and {@code Receiving} writes. Which of them is here
 * depends on the direction; each knows its location only from its {@code CopyRoot}. {@code LineOutput} and {@code
 * LineInput} turn the pipe into streams.
 *
 * <p>No backend is named: {@code CopyProvider} adds the volume to the job's spec, whichever backend was selected.
 */
@NullMarked
package io.fiber.cli.copy;

import org.jspecify.annotations.NullMarked;
