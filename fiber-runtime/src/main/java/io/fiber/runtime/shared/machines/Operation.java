// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared.machines;

/** What can be asked of a machine. The position of each is its code on the wire: new ones come last. */
public enum Operation {
    /** Waits for the lock; returns the epoch of the grant. */
    LOCK,
    /** Takes the lock if it is free; returns the epoch of the grant. */
    TRY_LOCK,
    UNLOCK,
    /** Returns the epoch of the caller's grant. */
    EPOCH,
    /** Returns how many times the caller holds the lock. */
    HOLDS,
    /** Returns 1 when a caller holds the lock. */
    IS_LOCKED,
    /** Returns 1 when the holder before the caller died; once. */
    WAS_ABANDONED,
    /** Makes a condition; returns its number. */
    NEW_CONDITION,
    /** Gives the lock back and waits for a signal of a condition, then for the lock. */
    AWAIT,
    /** Waits for the lock after a wait for a condition was given up; says whether a signal had come before. */
    RELOCK,
    /** Wakes who has waited longest for a condition. */
    SIGNAL,
    SIGNAL_ALL,

    ACQUIRE,
    TRY_ACQUIRE,
    RELEASE,
    AVAILABLE,

    SET,
    CLEAR,
    /** Returns 1 when the event is set. */
    IS_SET,
    WAIT,

    /** Waits for the other parties of a barrier; returns the arrival index. */
    ARRIVE,
    ACTION_DONE,
    ACTION_FAILED,
    /** Makes the barrier anew; callers that wait find it broken. */
    RESET,
    BREAK,
    /** Returns 1 when the barrier is broken. */
    IS_BROKEN,
    WAITING,

    PUT,
    OFFER,
    /** Waits for an item; returns it, and the number of the delivery. With a number above 0 it is kept until it is done. */
    TAKE,
    /** Takes an item as {@link #TAKE} does if there is one. */
    POLL,
    SIZE,
    /** Says that an item that was taken is done with. */
    TASK_DONE,
    JOIN,
    /** Says that the item of a delivery is done with; this has no answer. */
    RECEIVED,
    /** Closes the queue: it takes no more items. */
    CLOSE;

    /** Returns what it waits as: the operation that waits for what this one takes if it is there, or itself. */
    Operation waitsAs() {
        return switch (this) {
            case TRY_ACQUIRE -> ACQUIRE;
            case OFFER -> PUT;
            case POLL -> TAKE;
            default -> this;
        };
    }

    @SuppressWarnings("EnumOrdinal") // the position is the code
    public int code() {
        return ordinal();
    }
}
