// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool.scheduling;

/**
 * What a worker says of results that it sends.
 *
 * @param chunk the chunk that they belong to
 * @param attempt which run of it
 * @param firstItem how many results of the chunk went before
 * @param count how many these are
 * @param failed how many of them are failures
 * @param busyNs the time that these items took
 * @param mayBeRetried whether they are of one item, which has thrown something after which it may be tried again
 */
public record ResultHeader(
        long chunk, int attempt, int firstItem, int count, int failed, long busyNs, boolean mayBeRetried) {

    /** Tells whether its numbers fit what it says. */
    boolean isPlausible() {
        return failed >= 0 && failed <= count && (!mayBeRetried || (count == 1 && failed == 1));
    }
}
