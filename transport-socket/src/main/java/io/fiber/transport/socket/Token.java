// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.socket;

import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.HexFormat;

/** Identifies an invitation by 128 random bits, which a stranger would have to guess. */
record Token(long high, long low) {

    static final int BYTES = 2 * Long.BYTES;

    /** Stands for no invitation: programs dial it that know only a host and a port. */
    static final Token OF_NEWCOMERS = new Token(0, 0);

    static Token random(SecureRandom random) {
        return new Token(random.nextLong(), random.nextLong());
    }

    /**
     * Parses what {@link #toString} wrote.
     *
     * @throws IllegalArgumentException if the text has another form
     */
    static Token parse(String text) {
        if (text.length() != 2 * BYTES) {
            throw new IllegalArgumentException("'token' has " + text.length() + " digits instead of " + 2 * BYTES);
        }
        return read(ByteBuffer.wrap(HexFormat.of().parseHex(text)));
    }

    static Token read(ByteBuffer buffer) {
        return new Token(buffer.getLong(), buffer.getLong());
    }

    void write(ByteBuffer buffer) {
        buffer.putLong(high).putLong(low);
    }

    @Override
    public String toString() {
        return HexFormat.of().toHexDigits(high) + HexFormat.of().toHexDigits(low);
    }
}
