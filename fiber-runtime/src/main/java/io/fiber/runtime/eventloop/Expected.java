// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.eventloop;

/** What a process may be sent next; the later one of two says how often its conductor looks. */
public enum Expected {
    NOTHING,
    /** Tasks or their results, for which a fresh process looks less often. */
    TASKS,
    /** The answer to one message, for which a thread or a peer waits. */
    ANSWER;

    /** Returns the one that asks for more looks. */
    Expected or(Expected other) {
        return compareTo(other) < 0 ? other : this;
    }
}
