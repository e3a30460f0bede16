// SPDX-License-Identifier: Apache-2.0
/**
 * The pool: who runs which items, and what becomes of them when a worker dies.
 *
 * <p>{@link io.fiber.runtime.pool.PoolMachine} is the heart: plain state that takes events and a time and lets effects out
 * to {@link io.fiber.runtime.pool.PoolEffects}; no thread, clock or socket is in it. It holds a
 * {@link io.fiber.runtime.pool.Call} for each thing that was asked, cuts its {@link io.fiber.runtime.pool.Source} into
 * {@link io.fiber.runtime.pool.Chunk}s as large as {@link io.fiber.runtime.pool.ChunkPlanner} says, and knows by
 * {@link io.fiber.runtime.pool.TaskLedger} which chunk is where.
 */
@NullMarked
package io.fiber.runtime.pool;

import org.jspecify.annotations.NullMarked;
