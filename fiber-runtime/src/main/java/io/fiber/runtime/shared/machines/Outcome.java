// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared.machines;

/** The outcomes of requests. The position is the code on the wire, so new ones come last. */
public enum Outcome {
    /** Done: the caller has what it asked for. */
    DONE,
    /** The request would have to wait and only tries. */
    WOULD_WAIT,
    /** The caller holds the lock again, but no signal came before it gave up waiting for one. */
    NOT_SIGNALLED,
    /** Only the holder may ask, and the caller does not hold it. */
    NOT_HELD,
    /** The caller holds the lock, which is not reentrant. */
    ALREADY_HELD,
    /** The request exceeds the bound. */
    TOO_MANY,
    BROKEN,
    /** The caller arrived last, so it runs the barrier's action and reports how it ended. */
    RUN_ACTION,
    /** The caller has no item that is not done. */
    NOTHING_TAKEN,
    /** The object knows no such operation. */
    UNKNOWN_OPERATION,
    /** The queue is closed: it accepts no items, and all its items were taken. */
    CLOSED
}
