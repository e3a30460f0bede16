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

    static SharedItem of(SealedPayload parcel) {
        ByteBuffer bytes = ByteBuffer.wrap(parcel.payload().toArray());
        return new SharedItem(bytes.getInt(), bytes.getInt());
    }

    SealedPayload parcel() {
        return SealedPayload.open(
                Payload.of(ByteBuffer.allocate(8).putInt(writer).putInt(number).array()));
    }
}
