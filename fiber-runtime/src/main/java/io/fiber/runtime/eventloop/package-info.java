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
 * supervisor, a router), and sends what peers were offered.
 *
 * <p>If one transport cannot signal what arrives, as {@code aeron} cannot, all links are polled, and the thread sleeps
 * between two polls by {@link Backoff}. No frame wakes it then: one that comes after a long silence waits up to 10 ms.
 *
 * <p>An idle process over sockets wakes once in a twentieth of the lease (1 s of 20 s, never more than 5 s), to notice
 * peers that are silent for too long, and for each heartbeat that arrives. While a duty is timed, as that of an adaptive
 * pool is, it wakes every 10 to 100 ms.
 *
 * <p>A lock, the <i>turn</i>, guards peers, duties and transports. A second one, the <i>place</i>, says who waits in the
 * selector, or polls in the place of the I/O thread; a caller that needs both takes it first. No user code and no
 * serialization runs under the turn: callbacks run in threads of their own. Only later actions may block under it, at most
 * for about a second. In two cases other threads run parts of a cycle:
 *
 * <ul>
 *   <li>A thread in {@link Conductor#send} or {@link Conductor#await} runs the commands and duties, and sends. If another
 *       thread has the turn, or something is left to do, it wakes the I/O thread. With more than 64 peers, {@code send}
 *       leaves all to the I/O thread. The rest for a full link is sent by the thread that waits in the selector, when the
 *       link signals room, or after 10 to 100 ms.
 *   <li>Callers in {@link Conductor#await} wait until the I/O thread has read a first answer. Then it leaves its selector to
 *       them for a millisecond, and for a further one while answers come. The one that has waited longest reads for all;
 *       when its own wait has ended, it wakes the next. If it calls again in that time, neither process has to wake its
 *       I/O thread and then the caller. If no caller comes, what arrives may wait for the rest of the millisecond. Where
 *       links are polled, a caller may do so at any time, and the I/O thread only once in a millisecond meanwhile.
 * </ul>
 *
 * <p>The I/O thread takes its selector back after such a millisecond, at a wake-up, or when something is due. If a caller
 * does not leave within 100 ms, it reads all links without the selector.
 *
 * <p>Only the I/O thread drives transports and runs later actions, which may open files and sockets: an interrupt closes
 * what the interrupted thread is opening, and programs interrupt their threads. Reading and writing is safe, because the
 * channels do not block.
 *
 * <p>If a thread hangs with the turn, nothing is sent or read, and the peers end their links after the lease. Commands
 * wait, and after some thousand so do the threads that bring more. Remote calls do not return even when their time is
 * over, because a command abandons them. When more than a tenth of the lease lies between two cycles that read, for
 * whatever reason, all leases are extended by that time.
 *
 * <p>An exception of a listener closes the link of its peer. One of a command is logged, or ends the conductor if a caller
 * waits for the command ({@link Conductor#awaited}). One of a duty ends its cycle, and one of a later call with a result
 * fails that result. An Error of a duty or transport, and a lack of memory or stack in a command or listener, ends the
 * conductor: a master tells all that wait, and a worker's process ends.
 */
@NullMarked
package io.fiber.runtime.eventloop;

import org.jspecify.annotations.NullMarked;
