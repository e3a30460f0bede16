// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared.managers;

import io.fiber.FiberException;
import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.protocol.PayloadInput;
import io.fiber.runtime.protocol.PayloadOutput;
import io.fiber.runtime.protocol.ProcessAddress;
import io.fiber.runtime.protocol.ProcessPath;
import io.fiber.runtime.rpc.ObjectAddress;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Function;

/**
 * The answer to a client that has shown its key: its place. Where there is none it gets a {@linkplain #denial text} that
 * says why.
 *
 * @param processAddress where the client stands in the tree of the program that it connects to
 * @param object what it came for: the registry of the manager
 * @param serializer name of the serializer that both sides use
 * @param lease how long either side may be silent
 */
record AccessGrant(ProcessAddress processAddress, ObjectAddress object, String serializer, Duration lease) {

    /** Returns the bytes that travel, sealed. */
    byte[] encode() {
        PayloadOutput out = new PayloadOutput();
        out.write(1);
        out.writeText(processAddress.program());
        processAddress.path().writeTo(out);
        object.host().writeTo(out);
        out.writeLong(object.object());
        out.writeText(serializer);
        out.writeLong(lease.toNanos());
        return out.toPayload().toArray();
    }

    /** Returns the bytes that travel in place of a grant, sealed. */
    static byte[] denial(String why) {
        PayloadOutput out = new PayloadOutput();
        out.write(0);
        out.writeText(why);
        return out.toPayload().toArray();
    }

    /**
     * Reads what {@link #encode} or {@link #denial} wrote.
     *
     * @param denied makes an exception of why there is no place
     * @throws IOException when it is something else
     * @throws FiberException the one that was made
     */
    static AccessGrant decode(byte[] bytes, Function<String, FiberException> denied) throws IOException {
        PayloadInput in = Payload.of(bytes).open();
        try {
            if (in.readByte() == 0) {
                throw denied.apply(in.readText());
            }
            ProcessAddress processAddress = new ProcessAddress(in.readText(), ProcessPath.readFrom(in));
            ObjectAddress object = new ObjectAddress(processAddress.program(), ProcessPath.readFrom(in), in.readLong());
            return new AccessGrant(processAddress, object, in.readText(), Duration.ofNanos(in.readLong()));
        } catch (IllegalArgumentException e) {
            throw new IOException("The pass cannot be read: " + e.getMessage(), e);
        }
    }
}
