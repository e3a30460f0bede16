// SPDX-License-Identifier: Apache-2.0
/**
 * Pipes. {@link io.fiber.runtime.pipe.Pipes} makes them and holds the ends that this process uses.
 *
 * <p>The process that makes a pipe hosts its {@code PipeRendezvous}, where each end reports when it is used first; it tells one
 * to invite and the other to dial, and later each of them what has become of the other. The messages take a
 * {@link io.fiber.runtime.channel.DirectLink}. {@code PipeEnd} is what a program holds, {@code PipeHandle} what travels,
 * {@code Endpoint} the end in the one process that uses it, with a {@code Sender} and a {@code Receiver}, which belong to the
 * program's threads. {@link io.fiber.runtime.pipe.PipeParts} is an end for a room that cuts and joins messages itself.
 *
 * <pre>
 * UNUSED ─used─► JOINING ─both ends there, proven─► LINKED
 *                JOINING ─other end closed or dead, or they cannot meet─► OVER
 * </pre>
 */
@NullMarked
package io.fiber.runtime.pipe;

import org.jspecify.annotations.NullMarked;
