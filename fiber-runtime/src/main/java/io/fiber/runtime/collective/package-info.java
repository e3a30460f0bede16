// SPDX-License-Identifier: Apache-2.0
/**
 * Rings: processes that run one function together and exchange data with their neighbours.
 *
 * <p>Row 5; it uses the rows below and no other package of its row. Rings are made of pipes.
 *
 * <p>The way of a run, at the caller: the session creates a {@link RingClient}. A run creates two pipes for each pair
 * of neighbours (one for the program's messages, one for collectives), hosts a {@link RingRegistrar} and starts the
 * members. {@link RingRun} waits for their ends and determines which member failed first. In a member, {@link
 * MemberProgram} reserves a port, reports it to the registrar, gets the addresses of all members, runs the function
 * with a {@link Member}, and delivers its result.
 *
 * <p>The way of a collective: {@link Member} starts a {@link Flow}: a {@link BroadcastFlow}, or an {@link AllReduceFlow}
 * over {@link Numbers}, whose first round is also the barrier. A flow says what can be sent to the next member and
 * receives what arrives from the previous one; it knows no link and never waits. {@link Exchange} drives it. It sends a
 * {@link Heading} first, by which members see that they call the same operation, and then writes and polls the {@link
 * io.fiber.runtime.pipe.RawPipeEnd} of both neighbours in turn.
 */
@NullMarked
package io.fiber.runtime.collective;

import org.jspecify.annotations.NullMarked;
