// SPDX-License-Identifier: Apache-2.0
/**
 * Rings: processes that run one function together and exchange data with their neighbours.
 *
 * <p>Row 5; it uses the rows below and no other package of its row. Rings are made of pipes.
 *
 * <p>The way of a run, at the caller: the session makes a {@link RingClient}. A run makes two pipes for each pair of
 * neighbours (one for the program's messages, one for collectives), hosts a {@link RingRegistrar} and starts the
 * members; {@link RingRun} waits for their ends and finds out which member failed first. In a member {@link
 * MemberProgram} reserves a port, reports it to the registrar, gets the addresses of all, runs the function with a
 * {@link Member}, and hands in what it returned.
 *
 * <p>The way of a collective: {@link Member} begins a {@link Flow}: a {@link BroadcastFlow}, or a {@link Reduction} over
 * {@link Numbers}, of which a barrier is the first round. A flow says what can be sent to the next member and takes what
 * arrives from the previous one; it knows no link and waits for nothing. {@link Exchange} drives it: it sends a {@link
 * Heading} first, by which members see that they do the same operation, and then writes and polls the {@link
 * io.fiber.runtime.pipe.PipeParts} of both neighbours in turn.
 */
@NullMarked
package io.fiber.runtime.collective;

import org.jspecify.annotations.NullMarked;
