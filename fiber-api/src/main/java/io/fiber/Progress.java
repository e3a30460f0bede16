// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import java.time.Duration;
import java.util.OptionalLong;

/**
 * The progress of a call with many tasks, at one moment.
 * {@link ProgressListener} receives it. Immutable.
 */
public interface Progress {

    /** Whether more reports of a call follow. */
    enum State {
        /** The call is running. */
        RUNNING,
        /** All tasks were answered, the call was cancelled, or its pool has ended. No report follows. */
        ENDED
    }

    /** Returns the name of the pool that runs the call. */
    String pool();

    /** Returns the number of the call within its pool, counted from 1. */
    long call();

    /** Returns the number of tasks that have returned. */
    long done();

    /** Returns the number of tasks that have failed for good. */
    long failed();

    /** Returns the number of tasks; empty while it is unknown, that is, until the last task was read. */
    OptionalLong total();

    /** Returns the time since the call was made. */
    Duration elapsed();

    /** Returns whether more reports follow. */
    State state();
}
