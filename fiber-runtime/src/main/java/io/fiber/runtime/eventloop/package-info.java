// SPDX-License-Identifier: Apache-2.0
/**
 * The event loop: the I/O of a process, which one thread does.
 *
 * <p>Row 2; it uses {@code protocol} and {@code security}, and {@code logging} and {@code platform} of row 0.
 *
 * <pre>
 * MASTER                                             WORKER
 * program's threads ── execute, send, await ──┐      task threads ── send (reports), await (calls) ──┐
 * fiber-callback-N, fiber-blocking-N ─────────┤      fiber-worker-N, threads of the program ─────────┤
 *                                             ▼                                                      ▼
 * fiber-conductor ═ rest ► cycle ► rest ►            main ═ rest ► cycle ► rest ►
 * </pre>
 *
 * <p>The I/O thread is {@code fiber-conductor} in a master, {@code main} in a worker, and {@code fiber-client} in a
 * program that uses another one's manager. It is in {@link Conductor#run} ({@link IoThread}). It waits in a selector
 * ({@link Selection}) until a link is ready, another thread calls {@link Conductor#wake}, or something is due. Then it
 * runs a cycle: it runs the later actions, drives the transports if necessary, runs the commands of other threads, reads
 * each {@link Peer} whose link is ready (its {@link Peer.Listener} gets each message), calls each {@link Duty} (a pool, a
 * supervisor, a router), and sends what peers were offered. If a transport cannot signal what arrives, as {@code aeron}
 * cannot, it reads all links, and waits by {@link Backoff}. An idle process over sockets wakes once in a twentieth of the
 * lease (1 s of 20 s), and for each heartbeat that arrives.
 *
 * <p>A lock, the <i>turn</i>, guards peers, duties and transports. A second one, the <i>place</i>, says who waits in the
 * selector. It is always taken first. No user code and no serialization runs under the turn. Only later actions may block,
 * and for a moment: callbacks run in threads of their own. In two cases other threads run parts of a cycle:
 *
 * <ul>
 *   <li>A thread in {@link Conductor#send} or {@link Conductor#await} runs the commands and duties, and sends. If another
 *       thread has the turn, or something is left to do, it wakes the I/O thread. The rest for a full link is sent when that
 *       becomes ready.
 *   <li>After an answer has come, the I/O thread leaves its selector to callers for a millisecond. Of those that wait in
 *       {@link Conductor#await}, one reads for all of them. If a caller calls again in that time, each end wakes one thread
 *       fewer. If no caller comes, what arrives may wait for the rest of the millisecond. Where transports are polled, a
 *       caller may do so at any time, and the I/O thread polls while none does.
 * </ul>
 *
 * <p>Only the I/O thread drives transports and runs later actions, which may open files and sockets: an interrupt closes
 * what the interrupted thread is opening, and programs interrupt their threads. Reading and writing is safe, because the
 * channels do not block.
 *
 * <p>If a cycle hangs, no heartbeat leaves, and the peers end their links after the lease. Commands wait meanwhile, and
 * callers wait until their time is over. If the whole process was stopped, all leases are extended by that time. An
 * exception of a listener closes the link of its peer, one of a command is logged, and one of a duty ends its cycle. An
 * Error of a duty, and a lack of memory or stack anywhere, ends the conductor: a master tells all that wait, and a worker's
 * process ends.
 */
@NullMarked
package io.fiber.runtime.eventloop;

import org.jspecify.annotations.NullMarked;
