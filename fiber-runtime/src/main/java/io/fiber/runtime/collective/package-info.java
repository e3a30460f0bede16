// SPDX-License-Identifier: Apache-2.0
/**
 * Rings. {@link io.fiber.runtime.collective.Rings} makes them; the rest is two rooms.
 *
 * <p>At the caller: {@code RingClient} is the ring, {@code RingRun} one run of it, which starts the members, waits for their
 * ends and finds out which one failed first. {@code RingRegistrar} is the object at which they report, hand in what they return,
 * and learn of each other. The pipes between neighbours are made here, two for each pair: one for the program's messages, one
 * for the operations of all members; neither is linked before it is used.
 *
 * <p>In a member: {@code MemberProgram} is what its process runs, {@code Reservation} its port, {@code Member} what the
 * function sees, {@code Neighbour} a connection of it. An operation of all members is a {@code Flow}: {@code Reduction},
 * {@code BroadcastFlow} and {@code BarrierFlow} say what can be sent next and take what arrives, without knowing of links, and
 * {@code Exchange} drives them. {@code Numbers} are the four kinds of arrays. Each operation begins with a {@code Heading},
 * by which members see that they do the same.
 */
@NullMarked
package io.fiber.runtime.collective;

import org.jspecify.annotations.NullMarked;
