// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared.machines;

/** The operations of machines. The position is the code on the wire, so new ones come last. */
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
    /** Returns 1 if the lock is held. */
    IS_LOCKED,
    /** Returns 1, once, if the holder before the caller died. */
    WAS_ABANDONED,
    /** Creates a condition; returns its number. */
    NEW_CONDITION,
    /** Releases the lock and waits for a signal of a condition, then for the lock. */
    AWAIT,
    /** Waits for the lock after a wait for a condition was given up. The outcome says whether a signal came first. */
    RELOCK,
    /** Wakes the caller that has waited longest for a condition. */
    SIGNAL,
    SIGNAL_ALL,

    ACQUIRE,
    TRY_ACQUIRE,
    RELEASE,
    AVAILABLE,

    SET,
    CLEAR,
    /** Returns 1 if the event is set. */
    IS_SET,
    WAIT,

    /** Waits for the other parties of a barrier; returns the arrival index. */
    ARRIVE,
    ACTION_DONE,
    ACTION_FAILED,
    /** Opens the barrier again; for waiting callers it is broken. */
    RESET,
    BREAK,
    /** Returns 1 if the barrier is broken. */
    IS_BROKEN,
    WAITING,

    PUT,
    OFFER,
    /** Waits for an item; returns it and the number of its delivery. The number is a {@link QueueMachine.Delivery}. */
    TAKE,
    /** Takes an item as {@link #TAKE} does if there is one. */
    POLL,
    SIZE,
    /** Reports that the caller is done with an item that it took. */
    TASK_DONE,
    JOIN,
    /** Reports, without an answer, that the reader is done with the item of a delivery. */
    RECEIVED,
    /** Closes the queue: it takes no more items. */
    CLOSE;

    /** Returns the operation that waits for what this one only tries; any other operation returns itself. */
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
