// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

/**
 * What a worker says of results that it sends.
 *
 * @param chunk the chunk that they belong to
 * @param attempt which run of it
 * @param firstItem how many results of the chunk went before
 * @param count how many these are
 * @param failed how many of them are failures
 * @param busyNs the time that these items took
 */
public record Answer(long chunk, int attempt, int firstItem, int count, int failed, long busyNs) {}
