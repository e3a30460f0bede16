// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.runtime.protocol.codec.Input;

/**
 * Consecutive items of a call, as they travel.
 *
 * @param input what the payload holds
 * @param firstIndex place of the first item among the items of the call
 * @param count how many
 * @param firstValue first value of a range; else 0
 * @param payload the encoded items; none for a range
 * @param passOver how many items of the payload stand before the first; above 0 for a part of a block
 */
record Items(Input input, long firstIndex, int count, long firstValue, SealedPayload payload, int passOver) {

    /** Returns {@code length} of these items, from the one at {@code from} on; the payload is shared. */
    Items part(int from, int length) {
        return new Items(
                input,
                firstIndex + from,
                length,
                input == Input.ITEMS ? 0 : firstValue + from,
                payload,
                input == Input.ITEMS ? passOver + from : 0);
    }
}
