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

    /** Adds an item when there is room; returns how many items may be on their way from the caller's process. */
    PUT,
    OFFER,
    /** Waits for an item; returns it and the number of its delivery. The number is a {@link QueueMachine.Delivery}. */
    TAKE,
    /** Takes an item as {@link #TAKE} does if there is one. Waits for items that were sent ahead: they may return. */
    POLL,
    SIZE,
    /** Reports that the caller is done with an item that it took. */
    TASK_DONE,
    JOIN,
    /**
     * Reports, without an answer, that the reader is done with the items of deliveries with numbers in a row. The number is
     * that of the first one and, from bit 48 on, how many follow it.
     */
    RECEIVED,
    /** Closes the queue: it takes no more items. */
    CLOSE,
    /**
     * Adds an item as {@link #PUT} does. Its writer has gone on, so an item that waits for room is added when the queue is
     * closed, and stays if its writer dies.
     */
    SEND,
    /** Takes a small item as {@link #POLL} does, for a reader that has not asked for it yet. The queue keeps it meanwhile. */
    TAKE_AHEAD,
    /** Returns, without an answer, an item that its reader has not asked for. */
    RETURN;

    /** Returns the operation that waits for what this one waits for or only tries; any other operation returns itself. */
    Operation waitsAs() {
        return switch (this) {
            case TRY_ACQUIRE -> ACQUIRE;
            case OFFER, SEND -> PUT;
            case TAKE_AHEAD -> TAKE;
            default -> this;
        };
    }

    /** Returns whether it is answered at once if it would have to wait. */
    boolean isTry() {
        return this == TRY_ACQUIRE || this == OFFER || this == POLL || this == TAKE_AHEAD;
    }

    @SuppressWarnings("EnumOrdinal") // the position is the code
    public int code() {
        return ordinal();
    }
}
