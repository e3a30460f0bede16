// SPDX-License-Identifier: Apache-2.0
/**
 * Direct links between any two processes of a program, for what must not go through others.
 *
 * <p>{@link io.fiber.runtime.channel.DirectLinks} of one process invites and gives out a
 * {@link io.fiber.runtime.channel.LinkInvitation}, an address and a key for one use, which travels by way of the service room; that of
 * the other dials with it. A {@link io.fiber.runtime.channel.LinkHandshake} takes both through the same handshake that lets workers
 * in, and what comes out is a {@link io.fiber.runtime.channel.DirectLink}. From then on it belongs to the threads of its user:
 * {@link io.fiber.runtime.channel.LinkWriter} cuts what is sent into frames, {@link io.fiber.runtime.channel.LinkReader} hands
 * over what has arrived, {@link io.fiber.runtime.channel.LinkWait} says how a thread waits for the other end. The conductor
 * drives the transport and sees nothing of it.
 */
@NullMarked
package io.fiber.runtime.channel;

import org.jspecify.annotations.NullMarked;
