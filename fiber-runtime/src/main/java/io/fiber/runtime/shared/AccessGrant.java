// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.protocol.PayloadInput;
import io.fiber.runtime.protocol.PayloadOutput;
import io.fiber.runtime.protocol.ProcessAddress;
import io.fiber.runtime.protocol.ProcessPath;
import io.fiber.runtime.rpc.ObjectAddress;
import java.io.IOException;
import java.time.Duration;

/** The answer to a client that has shown its key: its place, or a text that says why there is none. */
sealed interface AccessGrant {

    /**
     * There is a place.
     *
     * @param processAddress where the client stands in the tree of the program that it connects to
     * @param object what it came for: the registry of the manager
     * @param serializer name of the serializer that both sides use
     * @param lease how long either side may be silent
     */
    record Granted(ProcessAddress processAddress, ObjectAddress object, String serializer, Duration lease)
            implements AccessGrant {}

    /** There is none. */
    record Denied(String why) implements AccessGrant {}

    /** Returns the bytes that travel, sealed. */
    default byte[] encode() {
        PayloadOutput out = new PayloadOutput();
        if (this instanceof Granted granted) {
            out.write(1);
            out.writeText(granted.processAddress().program());
            granted.processAddress().path().writeTo(out);
            granted.object().host().writeTo(out);
            out.writeLong(granted.object().object());
            out.writeText(granted.serializer());
            out.writeLong(granted.lease().toNanos());
        } else if (this instanceof Denied denied) {
            out.write(0);
            out.writeText(denied.why());
        }
        return out.toPayload().toArray();
    }

    /**
     * Reads what {@link #encode} wrote.
     *
     * @throws IOException when it is something else
     */
    static AccessGrant decode(byte[] bytes) throws IOException {
        PayloadInput in = Payload.of(bytes).open();
        try {
            if (in.readByte() == 0) {
                return new Denied(in.readText());
            }
            ProcessAddress processAddress = new ProcessAddress(in.readText(), ProcessPath.readFrom(in));
            ObjectAddress object = new ObjectAddress(processAddress.program(), ProcessPath.readFrom(in), in.readLong());
            return new Granted(processAddress, object, in.readText(), Duration.ofNanos(in.readLong()));
        } catch (IllegalArgumentException e) {
            throw new IOException("A pass that cannot be read: " + e.getMessage(), e);
        }
    }
}
