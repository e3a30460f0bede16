// SPDX-License-Identifier: Apache-2.0
/**
 * The conductor: the I/O of a process, done by one thread at a time.
 *
 * <p>Row 2; it uses {@code protocol} and {@code security}, and {@code logging} of row 0.
 *
 * <p>The way of a cycle: {@link Conductor#doWork} drives the transports, runs the commands of other threads, lets each
 * {@link Peer} read its link and call its {@link Peer.Listener} for each message, does each {@link Duty} (a pool, a
 * supervisor, a router), and lets each peer send what was offered meanwhile. Protocol state belongs to the thread that
 * runs the cycle, so there is no lock in it. No user code, no serialization and no blocking call runs in a cycle.
 *
 * <p>Other threads reach the conductor by {@link Conductor#execute}. A thread that waits for an answer waits in {@link
 * Conductor#await} with a {@link Waiter}; one of the {@link Waiters} runs cycles meanwhile, which saves a change of
 * threads. When nothing happens, {@link ConductorIdle} decides how long the thread sleeps, by what its duties say is
 * {@link Expected}. A peer that is silent longer than the lease is
 * closed; a cycle that came late extends all leases by its delay. {@link SessionThreads} makes the threads of a
 * session, {@link Teardown} ends what a session has opened.
 */
@NullMarked
package io.fiber.runtime.eventloop;

import org.jspecify.annotations.NullMarked;
