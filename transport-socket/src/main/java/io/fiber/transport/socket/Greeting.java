// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.socket;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/**
 * The first bytes of a connection. The dialling side names its invitation in {@link #BYTES} bytes, and the inviting
 * side answers with one byte.
 */
final class Greeting {

    static final byte ACCEPTED = 1;
    static final byte REFUSED = 2;

    /** A magic word, the version of what follows, and the token. */
    static final int BYTES = Integer.BYTES + 1 + Token.BYTES;

    private static final int WORD = 0x46_69_62_72;
    private static final byte VERSION = 1;

    private Greeting() {}

    /** Returns the greeting for an invitation. */
    static ByteBuffer naming(Token token) {
        ByteBuffer bytes = ByteBuffer.allocate(BYTES).putInt(WORD).put(VERSION);
        token.write(bytes);
        return bytes.flip();
    }

    /** Returns the token in {@link #BYTES} bytes; null if they are not a greeting of this version. */
    static @Nullable Token read(ByteBuffer bytes) {
        return bytes.getInt() == WORD && bytes.get() == VERSION ? Token.read(bytes) : null;
    }

    /** Answers a greeting. A connection on which nothing was sent yet always has room for a byte. */
    static void answer(SocketChannel channel, byte answer) throws IOException {
        if (channel.write(ByteBuffer.wrap(new byte[] {answer})) == 0) {
            throw new IOException("the connection takes no answer");
        }
    }
}
