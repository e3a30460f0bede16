// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.runtime.security.HandshakeMessage;
import io.fiber.runtime.security.MasterHandshake;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class AuthMessagesTest {

    private static final byte[] NONCE = filled(32, 1);
    private static final byte[] PROOF = filled(32, 2);

    private static byte[] filled(int length, int value) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) value);
        return bytes;
    }

    @Test
    void messagesAreReadAsTheyWereWritten() throws IOException {
        int greatest = MasterHandshake.SETTINGS_LIMIT_BYTES + MasterHandshake.WELCOME_OVERHEAD_BYTES;
        for (HandshakeMessage message : List.of(
                new HandshakeMessage.Hello(7, AuthListener.NUMBER, NONCE),
                new HandshakeMessage.Challenge(7, NONCE, PROOF),
                new HandshakeMessage.Proof(PROOF),
                new HandshakeMessage.Welcome(filled(greatest, 3)),
                new HandshakeMessage.VersionRefusal(8))) {
            ByteBuffer written = AuthMessages.encode(message);
            assertThat(written.getShort() & 0xFFFF).isEqualTo(written.remaining());
            assertThat(AuthMessages.decode(written)).usingRecursiveComparison().isEqualTo(message);
        }
    }

    @Test
    void whatIsNoMessageIsRefused() {
        Random random = new Random(3);
        for (int i = 0; i < 10_000; i++) {
            byte[] bytes = new byte[random.nextInt(40)];
            random.nextBytes(bytes);
            if (bytes.length > 0) {
                bytes[0] = (byte) (random.nextInt(8) - 1);
            }
            if (isOfItsLength(bytes)) {
                continue;
            }
            assertThatThrownBy(() -> AuthMessages.decode(ByteBuffer.wrap(bytes)))
                    .isInstanceOf(IOException.class);
        }
    }

    private static boolean isOfItsLength(byte[] bytes) {
        int kind = bytes.length == 0 ? 0 : bytes[0];
        return kind == 4
                || (kind == 1 && bytes.length == 37)
                || (kind == 3 && bytes.length == 33)
                || (kind == 5 && bytes.length == 5);
    }
}
