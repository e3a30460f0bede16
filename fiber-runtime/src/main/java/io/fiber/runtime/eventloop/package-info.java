// SPDX-License-Identifier: Apache-2.0
/**
 * The event loop: the I/O of a process, which one thread does.
 *
 * <p>Row 2; it uses {@code protocol} and {@code security}, and {@code logging} of row 0.
 *
 * <pre>
 * MASTER                                             WORKER
 * program's threads ── execute, send, await ──┐      task threads ── send (reports), await (calls) ──┐
 * fiber-callback-N, fiber-blocking-N ─────────┤      fiber-worker-N, threads of the program ─────────┤
 *                                             ▼                                                      ▼
 * fiber-conductor ═ rest ► cycle ► rest ►            main ═ rest ► cycle ► rest ►
 * </pre>
 *
 * <p>The I/O thread, {@code fiber-conductor} in a master and {@code main} in a worker, is in {@link Conductor#run}
 * ({@link IoThread}). It rests in the {@link Selection}, a selector, until a link is ready, another thread calls {@link Conductor#wake}, or
 * something is due. Then it runs a cycle: it drives the transports if necessary, runs the commands of other threads, reads
 * each {@link Peer} whose link is ready, which calls its {@link Peer.Listener} for each message, does each {@link Duty} (a
 * pool, a supervisor, a router), and sends what was offered. If a transport cannot signal what arrives, as {@code aeron}
 * cannot, it reads all links, and rests by {@link Backoff}.
 *
 * <p>All state belongs to the thread that has the turn, a lock, so there is no other lock in it. No user code, no
 * serialization and no blocking call runs under it: callbacks run in threads of their own. Besides the I/O
 * thread, two others run parts of a cycle:
 *
 * <ul>
 *   <li>A thread in {@link Conductor#send} or {@link Conductor#await} runs its command and the duties, and sends, if no
 *       other thread has the turn. Otherwise, and for what it leaves, it wakes the I/O thread.
 *   <li>A caller that waits in {@link Conductor#await} with a {@link Waiter} may read in the place of the I/O thread, which
 *       lends it its selector for a millisecond whenever an answer has come: that saves two of the four wake-ups of a call
 *       that follows others.
 * </ul>
 *
 * <p>Only the I/O thread drives transports and runs what {@link Conductor#later} was given, because an interrupt of another
 * thread would close the files and sockets that are opened there. If it hangs, no heartbeat leaves, and its peers end the
 * links after the lease. A peer that is silent longer than the lease is closed; a cycle that came late extends all leases by
 * its delay. An Error in any part of a cycle ends the conductor in the I/O thread, which tells all that wait.
 */
@NullMarked
package io.fiber.runtime.eventloop;

import org.jspecify.annotations.NullMarked;
