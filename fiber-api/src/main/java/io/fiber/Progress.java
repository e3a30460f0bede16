// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.OptionalLong;

/**
 * The progress of a call with many tasks, at one moment.
 *
 * @param pool name of the pool that runs the call
 * @param call number of the call within its pool, counted from 1
 * @param done tasks that have returned
 * @param failed tasks that have failed for good
 * @param total number of tasks; empty while it is unknown, that is, until the last task was read
 * @param elapsed time since the call was made
 * @param state whether more reports follow
 */
public record Progress(
        String pool, long call, long done, long failed, OptionalLong total, Duration elapsed, State state) {

    /** Whether more reports of a call follow. */
    public enum State {
        /** The call is running. */
        RUNNING,
        /** All tasks were answered, the call was cancelled, or its pool has ended. No report follows. */
        ENDED
    }

    /** Checks that no value is null. */
    public Progress {
        requireNonNull(pool, "pool");
        requireNonNull(total, "total");
        requireNonNull(elapsed, "elapsed");
        requireNonNull(state, "state");
    }
}
