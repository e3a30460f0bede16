// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

/** What a queue's handles and its host say to each other. */
final class QueueProtocol {

    /** Adds the body; answered by {@link #HELD} or {@link #CLOSED}. */
    static final int PUT = 1;
    /** Takes an item; answered by the number of the delivery and the item, or by {@link #DRAINED}. */
    static final int TAKE = 2;
    /** Tells that a delivery was received. */
    static final int ACKNOWLEDGE = 3;
    /** Answered by the number of items. */
    static final int SIZE = 4;
    /** Closes the queue; answered when that is done. */
    static final int CLOSE = 5;

    static final long HELD = 0;
    static final long CLOSED = 1;
    static final long DRAINED = 0;
    static final long WILL_ACKNOWLEDGE = 1;
    static final long WITHOUT_ACKNOWLEDGEMENT = 0;

    private QueueProtocol() {}
}
