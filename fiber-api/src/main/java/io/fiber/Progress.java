// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.OptionalLong;

/**
 * How far a call of many tasks has come, at one moment.
 *
 * @param pool name of the pool that runs it
 * @param call which of the pool's calls it is, from 1 on
 * @param done tasks that have returned
 * @param failed tasks that have failed for good
 * @param total how many tasks there are; empty when that is not known before the last one was taken
 * @param elapsed since the call was made
 * @param state whether anything follows
 */
public record Progress(
        String pool, long call, long done, long failed, OptionalLong total, Duration elapsed, State state) {

    /** Whether more follows of a call. */
    public enum State {
        /** It runs. */
        RUNNING,
        /** It is over: all tasks were answered, or it was cancelled, or its pool has ended. Nothing follows. */
        ENDED
    }

    /** Checks that nothing is null. */
    public Progress {
        requireNonNull(pool, "pool");
        requireNonNull(total, "total");
        requireNonNull(elapsed, "elapsed");
        requireNonNull(state, "state");
    }
}
