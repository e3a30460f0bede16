// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import io.fiber.runtime.channel.LinkInvitation;
import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.protocol.PayloadInput;
import io.fiber.runtime.protocol.PayloadOutput;
import io.fiber.runtime.protocol.ProcessAddress;
import io.fiber.runtime.protocol.ProcessPath;
import io.fiber.runtime.rpc.ObjectAddress;
import java.io.IOException;
import java.time.Duration;

/** The answer to a client that has shown its key: how it connects, or a text that says why it cannot. */
sealed interface AccessGrant {

    /**
     * The way in.
     *
     * @param processAddress where the client stands in the tree of the program that it connects to
     * @param object what it came for: the registry of the manager
     * @param ticket where it dials, and the key for that, valid once
     * @param requirements what both sides must have in common
     */
    record Granted(
            ProcessAddress processAddress, ObjectAddress object, LinkInvitation ticket, Requirements requirements)
            implements AccessGrant {}

    /**
     * What every client must have in common with the session.
     *
     * @param transport name of the transport
     * @param serializer name of the serializer
     * @param lease how long either side may be silent
     */
    record Requirements(String transport, String serializer, Duration lease) {}

    /** There is no way in. */
    record Denied(String why) implements AccessGrant {}

    /** Returns the bytes that travel, sealed. */
    default byte[] encode() {
        PayloadOutput out = new PayloadOutput();
        if (this instanceof Granted granted) {
            out.write(1);
            out.writeText(granted.processAddress().program());
            write(granted.processAddress().path(), out);
            write(granted.object().host(), out);
            out.writeLong(granted.object().object());
            out.writeText(granted.requirements().transport());
            out.writeText(granted.requirements().serializer());
            out.writeLong(granted.requirements().lease().toNanos());
            out.append(granted.ticket().encode());
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
            ProcessAddress processAddress = new ProcessAddress(in.readText(), readPath(in));
            ObjectAddress object = new ObjectAddress(processAddress.program(), readPath(in), in.readLong());
            Requirements requirements = new Requirements(in.readText(), in.readText(), Duration.ofNanos(in.readLong()));
            byte[] ticket = in.readExactly((int) in.remaining());
            return new Granted(processAddress, object, LinkInvitation.decode(Payload.of(ticket)), requirements);
        } catch (IllegalArgumentException e) {
            throw new IOException("A pass that cannot be read: " + e.getMessage(), e);
        }
    }

    private static void write(ProcessPath path, PayloadOutput out) {
        out.writeVarLong(path.depth());
        for (int level = 0; level < path.depth(); level++) {
            out.writeInt(path.number(level));
        }
    }

    private static ProcessPath readPath(PayloadInput in) throws IOException {
        long depth = in.readVarLong();
        if (depth < 0 || depth > ProcessPath.DEPTH_LIMIT) {
            throw new IOException("A path of " + depth + " numbers.");
        }
        int[] numbers = new int[(int) depth];
        for (int level = 0; level < numbers.length; level++) {
            numbers[level] = in.readInt();
        }
        return ProcessPath.of(numbers);
    }
}
