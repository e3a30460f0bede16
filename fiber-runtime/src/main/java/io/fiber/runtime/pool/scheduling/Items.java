// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool.scheduling;

import io.fiber.runtime.protocol.SealedPayload;

/**
 * Consecutive items of a call, as they travel.
 *
 * @param form what the payload holds
 * @param firstIndex place of the first item among the items of the call
 * @param count how many
 * @param firstValue first value of a range; else 0
 * @param payload the encoded items; none for a range
 * @param passOver how many items of the payload stand before the first; above 0 for a part of a block
 */
public record Items(Form form, long firstIndex, int count, long firstValue, SealedPayload payload, int passOver) {

    /** Returns {@code length} of these items, from the one at {@code from} on; the payload is shared. */
    Items part(int from, int length) {
        return new Items(
                form,
                firstIndex + from,
                length,
                form == Form.ENCODED ? 0 : firstValue + from,
                payload,
                form == Form.ENCODED ? passOver + from : 0);
    }

    /** What the payload of consecutive items holds. */
    public enum Form {
        /** The items, one behind the other. */
        ENCODED,
        /** Nothing: the items are consecutive ints. */
        INT_RANGE,
        /** Nothing: the items are consecutive longs. */
        LONG_RANGE
    }
}
