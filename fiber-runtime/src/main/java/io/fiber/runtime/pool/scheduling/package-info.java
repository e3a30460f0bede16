// SPDX-License-Identifier: Apache-2.0
/**
 * The scheduler of a pool: which worker runs which items, and what happens to items when a worker dies.
 *
 * <p>It is pure: events and the time come in, effects go out. It names no thread, clock, socket, codec or flight
 * recorder, so a test can drive it through any order of faults, and {@code PurityTest} keeps it so. Its world is four
 * interfaces: {@link PoolEffects} (workers), {@link Source} (items of a call), {@link CallSink} (answers of a call), and
 * the events of {@link PoolMachine}. All of it belongs to the conductor.
 *
 * <p>The way of a chunk: {@link PoolMachine} holds the {@link Call}. Its {@link Dispatcher} takes a {@link TaskSlot} of a
 * {@link WorkerSlot} from the {@link WorkerQueue}, and asks {@link ChunkPlanner} how many items the next {@link Chunk}
 * has and whether the slot may hold one more in advance. The {@link Source} cuts the chunk, the effects send it, and the
 * {@link TaskLedger} notes who has it. Results come with a {@link ResultHeader}. The ledger says whether they are the
 * first answer; {@link Retries} takes an item that has thrown and may be tried again; the {@link CallSink} gets an
 * {@link Answer}. At the end of the work, {@link TailBalancer} takes tasks back from busy slots for idle ones.
 *
 * <p>The way of a death: {@link PoolMachine} takes a {@link Loss}. The ledger takes back each chunk of that worker, whole
 * or item by item, and counts an attempt for the items that had begun.
 *
 * <p>The number of workers: {@link WorkerRegistry} starts missing workers and stops surplus ones. In an adaptive pool,
 * {@link Adaptation} changes the number by the waiting work and by how long workers were idle. A worker that ends before
 * it is ready is a failed start, unless the platform could not be asked or took it away. {@link WorkerStarts} counts
 * failed starts in a row, and failed initializers apart; it says when the next start is allowed.
 *
 * <table>
 * <caption>What to open</caption>
 * <tr><th>to change</th><th>open</th></tr>
 * <tr><td>which worker gets a chunk, and when</td><td>{@link Dispatcher}, {@link WorkerQueue}</td></tr>
 * <tr><td>the size of chunks, what a slot holds in advance</td><td>{@link ChunkPlanner}, {@link TaskSlot} (round
 * trip), {@link TaskFunction} (time per item)</td></tr>
 * <tr><td>what runs again after a loss, alone or announced</td><td>{@link TaskLedger}, {@link Chunk}</td></tr>
 * <tr><td>what a user is told of a lost worker</td><td>{@link Loss}, {@link LossAdvice}</td></tr>
 * <tr><td>when workers are started and stopped</td><td>{@link WorkerRegistry}, {@link WorkerStarts},
 * {@link Adaptation}</td></tr>
 * <tr><td>retries of tasks that throw</td><td>{@link Retries}</td></tr>
 * <tr><td>what is shown of a running pool</td><td>{@link ActivitySnapshot}</td></tr>
 * </table>
 */
@NullMarked
package io.fiber.runtime.pool.scheduling;

import org.jspecify.annotations.NullMarked;
