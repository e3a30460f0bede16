// SPDX-License-Identifier: Apache-2.0
/**
 * Direct links between any two processes of a program, for what must not go through others.
 *
 * <p>{@link io.fiber.runtime.link.DirectLinks} of one process invites and gives out a
 * {@link io.fiber.runtime.link.Ticket}, an address and a key for one use, which travels by way of the service room; that of
 * the other dials with it. A {@link io.fiber.runtime.link.Meeting} takes both through the same handshake that lets workers
 * in, and what comes out is a {@link io.fiber.runtime.link.DirectLink}. From then on it belongs to the threads of its user:
 * {@link io.fiber.runtime.link.LinkWriter} cuts what is sent into frames, {@link io.fiber.runtime.link.LinkReader} hands
 * over what has arrived, {@link io.fiber.runtime.link.Patience} says how a thread waits for the other end. The conductor
 * drives the transport and sees nothing of it.
 */
@NullMarked
package io.fiber.runtime.link;

import org.jspecify.annotations.NullMarked;
