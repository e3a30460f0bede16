// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared.machines;

/** How a request ended. The ordinal is the code on the wire, so new ones come last and none moves. */
public enum Outcome {
    /** The caller has what it asked for. */
    DONE,
    /** The operation would have to wait, and the caller asked not to. */
    WOULD_WAIT,
    /** The caller gave up waiting for a signal, and holds the lock again. */
    NOT_SIGNALLED,
    /** Only the holder may do this, and the caller is not the holder. */
    NOT_HELD,
    /** The caller already holds it, and it is not reentrant. */
    ALREADY_HELD,
    /** The caller asked for more than the object can ever have. */
    TOO_MANY,
    /** The barrier is broken. */
    BROKEN,
    /** The caller arrived last: it runs the barrier's action and then reports how that ended. */
    RUN_ACTION,
    /** The caller has no unfinished item to report as done. */
    NOTHING_TAKEN,
    /** The object knows no such operation. */
    UNKNOWN_OPERATION,
    /** The queue is closed: it accepts no item, and no item is left. */
    CLOSED,
    /** The caller has its item, and the queue holds more. */
    DONE_WITH_MORE
}
