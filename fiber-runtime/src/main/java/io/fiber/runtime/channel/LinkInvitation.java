// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.channel;

import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.protocol.PayloadInput;
import io.fiber.runtime.protocol.PayloadOutput;
import io.fiber.runtime.security.JobKey;
import io.fiber.spec.Secret;
import io.fiber.spi.transport.Address;
import java.io.IOException;
import java.util.Arrays;

/**
 * The right to dial a link to which another process has invited. Its holder may do so once, so it is sealed wherever
 * others can listen.
 *
 * @param address the address to dial
 * @param number number of the invitation in the inviting process
 * @param key the key that authenticates the holder
 */
public record LinkInvitation(Address address, long number, JobKey key) {

    public Payload encode() {
        PayloadOutput out = new PayloadOutput();
        out.writeText(address.text());
        out.writeVarLong(number);
        byte[] bytes = key.secret().copyBytes();
        out.write(bytes, 0, bytes.length);
        Arrays.fill(bytes, (byte) 0);
        return out.toPayload();
    }

    /**
     * Parses what {@link #encode} wrote.
     *
     * @throws IOException if it is something else
     */
    public static LinkInvitation decode(Payload payload) throws IOException {
        PayloadInput in = payload.open();
        try {
            Address address = new Address(in.readText());
            long number = in.readVarLong();
            byte[] bytes = in.readExactly(JobKey.LENGTH_BYTES);
            JobKey key = new JobKey(Secret.of(bytes));
            Arrays.fill(bytes, (byte) 0);
            return new LinkInvitation(address, number, key);
        } catch (IllegalArgumentException e) {
            throw new IOException("A ticket that cannot be read: " + e.getMessage(), e);
        }
    }

    @Override
    public String toString() {
        return "Ticket[" + number + "]";
    }
}
