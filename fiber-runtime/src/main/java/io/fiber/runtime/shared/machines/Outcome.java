// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared.machines;

/** What became of a request. The position of each is its code on the wire: new ones come last. */
public enum Outcome {
    /** It is done; what was asked for is the caller's. */
    DONE,
    /** It would have had to wait and did not want to. */
    WOULD_WAIT,
    /** The lock is the caller's again, and no signal had come before it gave up waiting for one. */
    NOT_SIGNALLED,
    /** Only who holds it may ask, and the caller does not. */
    NOT_HELD,
    /** The caller holds it, and it is not to be had twice. */
    ALREADY_HELD,
    /** More than there can ever be. */
    TOO_MANY,
    BROKEN,
    /** The caller came last and runs the barrier's action; then it says how that ended. */
    RUN_ACTION,
    /** The caller has taken nothing that is not done. */
    NOTHING_TAKEN,
    /** The object knows no such operation. */
    UNKNOWN_OPERATION,
    /** The queue is closed: it takes no item, and has none that could be taken. */
    CLOSED
}
