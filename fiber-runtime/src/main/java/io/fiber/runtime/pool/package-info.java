// SPDX-License-Identifier: Apache-2.0
/**
 * Pools: which worker runs which items, and what happens to items when a worker dies.
 *
 * <p>Row 5; it uses the rows below and no other package of its row. Of {@code worker} it uses the forms of a
 * retried and of a combined function.
 *
 * <p>The way of an item: {@link CallSite} takes the call in the caller's thread; {@link CallEngine} serializes the
 * function into a {@link TaskFunction} (known ones come from the {@link FunctionCache}), and a {@link Feeder}
 * serializes the items of a {@link MapCall} into the blocks of a {@link BlockSource}, as there is room. On the
 * conductor {@link PoolMachine} holds the {@link Call}; its {@link Dispatcher} picks a {@link TaskSlot} of a
 * {@link WorkerSlot}, cuts a {@link Chunk}, and enters it into the {@link TaskLedger}. {@link ChunkPlanner} says
 * how many items a chunk has and, by the round trip that the slot measures, how much a slot holds ahead of what it
 * runs. {@link PoolDriver}, the {@link PoolEffects} of the machine, offers the chunk to the worker's link. Its
 * {@link PoolWorker} makes an {@link ResultHeader} of what the worker sends back, for the machine, which drops a duplicate,
 * keeps in {@link Retries} what is tried again, and gives results to the call's {@link CallSink}: {@link Answers} or
 * {@link SingleAnswer}. The consumer's thread reads them by a {@link ResultReader} into a {@link Collector}, which makes
 * a list or a {@link CombinedResult} of them, a {@link ResultIterator} or a future. A range of numbers needs no feeder: it is a
 * {@link RangeSource}.
 *
 * <p>The way of a death: {@link PoolMachine} takes a {@link Loss}; the ledger gives back each chunk of that worker,
 * whole or item by item, and counts an attempt for the items that had begun. {@link WorkerRegistry} starts a
 * replacement when {@link WorkerStarts} allows it.
 *
 * <p>The number of workers: {@link WorkerRegistry} starts what is missing and stops what is too much. In an adaptive
 * pool {@link Adaptation} changes the number by what waits and by how long workers were idle. {@link PoolWorker} sends
 * the initializer to the worker that has connected. A worker that ends before it is ready is a failed start,
 * unless the platform could not be asked or took it away. {@link WorkerStarts} counts failed starts in a row, and
 * failed initializers apart; it says when the next start is allowed.
 *
 * <p>The machine and its parts hold no thread, clock or socket: events and the time go in, effects come out, so a test
 * can drive them through any order of faults.
 */
@NullMarked
package io.fiber.runtime.pool;

import org.jspecify.annotations.NullMarked;
