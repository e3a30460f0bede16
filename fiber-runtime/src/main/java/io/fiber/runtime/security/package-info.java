// SPDX-License-Identifier: Apache-2.0
/**
 * Authentication and encryption: keys, the handshake, and the seals of frames and payloads. No class here does I/O,
 * reads a clock or starts a thread. {@code docs/security-protocol.md} has the bytes, labels and limits.
 *
 * <p>Row 1; it uses {@code protocol}, and {@code platform} of row 0.
 *
 * <ul>
 *   <li>Keys: each job has a {@link JobKey}, which is accepted once, on the job's link.
 *   <li>Handshake: {@link WorkerHandshake} and {@link MasterHandshake} prove the same {@link HandshakeTerms}. They
 *       answer only another version in words, and report the result to the owner of their link: the worker's as an
 *       {@link Admission}, or a {@link HandshakeFailure}.
 *   <li>Frames: {@link ConnectionKeys} provides a {@link FrameSeal} for each stream, once, with a {@link FrameKey} for
 *       each direction, which counts frames and has their limit. A seal belongs to the threads that drive its link. A
 *       link gets no second key: it closes at the limit.
 *   <li>Payloads: other packages use {@link Seals}. Behind them, {@link PayloadSeal} works on the threads that
 *       serialize, with the session's {@link PayloadKey}.
 * </ul>
 *
 * <p>The way of a payload: {@link Seals#close} seals it in the thread that wrote it, and {@link Seals#open} opens it in
 * the thread that reads it; conductors pass it on unread. On a link that is confined to this host, {@link Seals#none}
 * does nothing. A payload that was changed raises the {@link Seals.Alarm}, which ends the connection over which it
 * came.
 */
@NullMarked
package io.fiber.runtime.security;

import org.jspecify.annotations.NullMarked;
