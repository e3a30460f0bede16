// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.eventloop;

/** How a wait in {@link Conductor#await} ended. */
public enum WaitEnd {
    /** Another thread or the conductor has ended it: what was waited for is there. */
    OVER,
    /** Time is up. */
    TIMED_OUT,
    /** The conductor has closed: what was waited for will not come. */
    CLOSED
}
