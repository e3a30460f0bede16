// SPDX-License-Identifier: Apache-2.0
/**
 * Pools, from the thread of a caller to the scheduler and back.
 *
 * <p>Row 5. It uses the rows below and {@link io.fiber.runtime.pool.scheduling}, its inner room, which decides which
 * worker runs which items. That room is pure and never calls back except through the interfaces that it declares.
 *
 * <p>The way of a map: {@link CallSite} takes the call in the caller's thread. {@link CallEngine} serializes the
 * function (a known one comes from the {@link FunctionCache}) and makes the call, which its caller holds as a
 * {@link CallHandle}. In a {@link MapCall}, a {@link Feeder} serializes the items into the blocks of a
 * {@link BlockSource} as long as there is room; numbers of a range need no feeder. On the I/O thread, the scheduler cuts
 * a chunk. {@link PoolDriver} gives it to the {@link PoolWorker}, which sends the function if necessary and then an
 * {@link Assignment}.
 *
 * <p>The way back: {@link PoolWorker} reads the messages of its worker and reports them to the scheduler, which passes
 * results to {@link Answers}, or to a {@link SingleAnswer} for one task. The consumer's thread deserializes them with a
 * {@link ResultReader}: a {@link Collector} puts them into a {@link ResultSink}, that is, a {@link ResultArray} or a
 * {@link CombinedResult}; a {@link ResultIterator} returns them one by one.
 *
 * <table>
 * <caption>What to open</caption>
 * <tr><th>to change</th><th>open</th></tr>
 * <tr><td>what a caller can ask for</td><td>{@link CallSite}, {@link PoolClient}, {@link PoolExecutorService}</td></tr>
 * <tr><td>how inputs are taken and fed</td><td>{@link Inputs}, {@link Feeder}, {@link BlockSource}</td></tr>
 * <tr><td>what a caller is thrown</td><td>{@link ResultReader}</td></tr>
 * <tr><td>messages to and from workers</td><td>{@link PoolWorker}, {@link Assignment}</td></tr>
 * <tr><td>what a worker is given at its start</td><td>{@link Pools}, {@link PoolNeeds}</td></tr>
 * <tr><td>what is reported of a pool</td><td>{@link io.fiber.runtime.pool.progress}, {@link LostWorkersNotifier},
 * {@link StalledPoolNotifier}; flight recorder: {@link PoolDriver}</td></tr>
 * <tr><td>what a journal answers and records</td><td>{@link CallJournal}, and {@link io.fiber.runtime.journal}</td></tr>
 * <tr><td>cancellation, streams that are not read</td><td>{@link CallHandle}, {@link OpenStreams}</td></tr>
 * </table>
 */
@NullMarked
package io.fiber.runtime.pool;

import org.jspecify.annotations.NullMarked;
