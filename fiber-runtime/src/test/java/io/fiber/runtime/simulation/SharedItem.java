// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.simulation;

import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.protocol.SealedPayload;
import java.nio.ByteBuffer;

/**
 * An item of a simulated queue.
 *
 * @param writer who puts it
 * @param number how many it had put before, and this one
 */
record SharedItem(int writer, int number) {

    static SharedItem of(SealedPayload payload) {
        ByteBuffer bytes = ByteBuffer.wrap(payload.bytes().toArray());
        return new SharedItem(bytes.getInt(), bytes.getInt());
    }

    SealedPayload payload() {
        return SealedPayload.open(
                Payload.of(ByteBuffer.allocate(8).putInt(writer).putInt(number).array()));
    }
}
