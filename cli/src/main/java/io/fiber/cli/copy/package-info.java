// SPDX-License-Identifier: Apache-2.0
/**
 * {@code fiber cp}. {@link io.fiber.cli.copy.Copying} opens a session with one process that sees the volume, and joins two
 * halves by a pipe: {@code Sending} reads, {@code Receiving} writes; which of them is here depends on the direction. Neither
 * knows where it is but by its {@code CopyRoot}. {@code LineOutput} and {@code LineInput} make streams of the pipe.
 *
 * <p>No backend is named: {@code CopyProvider} puts the volume into the job's spec on its way to whichever was selected.
 */
@NullMarked
package io.fiber.cli.copy;

import org.jspecify.annotations.NullMarked;
