// SPDX-License-Identifier: Apache-2.0
/**
 * Programs that use the objects of a manager of another program.
 *
 * <p>In the manager's program: {@link io.fiber.runtime.guest.Guests} opens a {@code Door}, a TCP port at which a program shows
 * that it holds the key ({@code Knock}), and a {@code GuestHouse}, which gives each {@code Guest} a link of the session's transport
 * and a place in the tree of processes, as a worker has one; so its letters, and the news that it has gone, need nothing of their own.
 *
 * <p>In the other program: {@code Knocker} shows the key and gets a {@code Pass}, {@link io.fiber.runtime.guest.Visit} dials by it and is
 * that program's place, with a conductor of its own; {@code Arrival} is its end of the link, {@code Luggage} what it needs of
 * its class path and settings. {@link io.fiber.runtime.guest.EndpointFile} holds address and key.
 */
@NullMarked
package io.fiber.runtime.guest;

import org.jspecify.annotations.NullMarked;
