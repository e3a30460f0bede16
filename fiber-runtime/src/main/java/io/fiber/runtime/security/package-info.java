// SPDX-License-Identifier: Apache-2.0
/**
 * Who is let in, and how what is said stays between those who are. No class here does I/O, reads a clock or starts a
 * thread. {@code docs/security-protocol.md} has the bytes, labels and limits.
 *
 * <ul>
 *   <li>Keys: {@link io.fiber.runtime.security.JobKeys} makes a {@link io.fiber.runtime.security.JobKey} for each job and
 *       accepts it once.
 *   <li>Handshake: {@link io.fiber.runtime.security.WorkerHandshake} and {@link io.fiber.runtime.security.MasterHandshake}
 *       exchange {@link io.fiber.runtime.security.HandshakeMessage}s under the same
 *       {@link io.fiber.runtime.security.HandshakeTerms}; each step ends in a
 *       {@link io.fiber.runtime.security.HandshakeStep}, the last in an {@link io.fiber.runtime.security.Admission}.
 *   <li>Frames: {@link io.fiber.runtime.security.ConnectionKeys} gives a
 *       {@link io.fiber.runtime.security.FrameSealer} and a {@link io.fiber.runtime.security.FrameOpener} for each stream;
 *       they belong to the conductor.
 *   <li>Payloads: {@link io.fiber.runtime.security.PayloadSealer} and {@link io.fiber.runtime.security.PayloadOpener} work
 *       on the threads that serialize, under the session's {@link io.fiber.runtime.security.PayloadKey}.
 * </ul>
 */
@NullMarked
package io.fiber.runtime.security;

import org.jspecify.annotations.NullMarked;
