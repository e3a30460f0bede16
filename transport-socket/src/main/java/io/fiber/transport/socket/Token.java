// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.socket;

import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.HexFormat;

/** What tells one invitation from others: 128 random bits, which a stranger would have to guess. */
record Token(long high, long low) {

    static final int BYTES = 2 * Long.BYTES;

    /** Names no invitation: what a program dials that was told only a host and a port. */
    static final Token OF_NEWCOMERS = new Token(0, 0);

    static Token random(SecureRandom random) {
        return new Token(random.nextLong(), random.nextLong());
    }

    /**
     * Reads what {@link #toString} wrote.
     *
     * @throws IllegalArgumentException when it is something else
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
