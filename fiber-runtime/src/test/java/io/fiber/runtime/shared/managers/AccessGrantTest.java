// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared.managers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.FiberException;
import io.fiber.runtime.protocol.ProcessAddress;
import io.fiber.runtime.protocol.ProcessPath;
import io.fiber.runtime.rpc.ObjectAddress;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class AccessGrantTest {

    private static final AccessGrant GRANTED = new AccessGrant(
            new ProcessAddress("abcdefghij01", ProcessPath.of(3, 9)),
            new ObjectAddress("abcdefghij01", ProcessPath.of(3, 4), 1_001),
            "java",
            Duration.ofSeconds(20));

    private static AccessGrant decode(byte[] bytes) throws IOException {
        return AccessGrant.decode(bytes, why -> new FiberException("FBR-446", why));
    }

    @Test
    void passesAreReadAsTheyWereWritten() throws IOException {
        assertThat(decode(GRANTED.encode())).isEqualTo(GRANTED);
        assertThatThrownBy(() -> decode(AccessGrant.denial("it is full")))
                .isInstanceOf(FiberException.class)
                .hasMessage("FBR-446 it is full");
    }

    @Test
    void whatIsNoPassIsRefused() {
        byte[] bytes = GRANTED.encode();
        for (int length = 0; length < bytes.length; length++) {
            byte[] cut = Arrays.copyOf(bytes, length);
            assertThatThrownBy(() -> decode(cut)).isInstanceOf(IOException.class);
        }
        byte[] path = bytes.clone();
        path[1 + 1 + 12] = 100;
        assertThatThrownBy(() -> decode(path)).isInstanceOf(IOException.class);
    }

    @Test
    void noisyPassesAreReadOrRefusedAndNothingElse() {
        Random random = new Random(5);
        for (int i = 0; i < 5_000; i++) {
            byte[] bytes = GRANTED.encode();
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            try {
                assertThat(decode(bytes)).isNotNull();
            } catch (IOException | FiberException e) {
                assertThat(e).isNotNull();
            }
        }
    }
}
