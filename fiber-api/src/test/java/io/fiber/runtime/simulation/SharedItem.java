// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.simulation;

import io.fiber.runtime.wire.Parcel;
import io.fiber.runtime.wire.Payload;
import java.nio.ByteBuffer;

/**
 * An item of a simulated queue.
 *
 * @param writer who puts it
 * @param number how many it had put before, and this one
 */
record SharedItem(int writer, int number) {

    static SharedItem of(Parcel parcel) {
        ByteBuffer bytes = ByteBuffer.wrap(parcel.payload().toArray());
        return new SharedItem(bytes.getInt(), bytes.getInt());
    }

    Parcel parcel() {
        return Parcel.open(
                Payload.of(ByteBuffer.allocate(8).putInt(writer).putInt(number).array()));
    }
}
