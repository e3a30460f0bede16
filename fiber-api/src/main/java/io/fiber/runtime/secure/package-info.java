// SPDX-License-Identifier: Apache-2.0
/**
 * Who is let in, and how what is said stays between those who are. No class here does I/O, reads a clock or starts a
 * thread. {@code docs/security-protocol.md} has the bytes, labels and limits.
 *
 * <ul>
 *   <li>Keys: {@link io.fiber.runtime.secure.JobKeys} makes a {@link io.fiber.runtime.secure.JobKey} for each job and
 *       accepts it once.
 *   <li>Handshake: {@link io.fiber.runtime.secure.WorkerHandshake} and {@link io.fiber.runtime.secure.MasterHandshake}
 *       exchange {@link io.fiber.runtime.secure.HandshakeMessage}s under the same
 *       {@link io.fiber.runtime.secure.HandshakeTerms}; each step ends in a
 *       {@link io.fiber.runtime.secure.HandshakeStep}, the last in an {@link io.fiber.runtime.secure.Admission}.
 *   <li>Frames: {@link io.fiber.runtime.secure.ConnectionKeys} gives a
 *       {@link io.fiber.runtime.secure.FrameSealer} and a {@link io.fiber.runtime.secure.FrameOpener} for each stream;
 *       they belong to the conductor.
 *   <li>Payloads: {@link io.fiber.runtime.secure.PayloadSealer} and {@link io.fiber.runtime.secure.PayloadOpener} work
 *       on the threads that serialize, under the session's {@link io.fiber.runtime.secure.PayloadKey}.
 * </ul>
 */
@NullMarked
package io.fiber.runtime.secure;

import org.jspecify.annotations.NullMarked;
