// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.runtime.protocol.ProcessAddress;
import io.fiber.runtime.protocol.ProcessPath;
import io.fiber.runtime.rpc.ObjectAddress;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class AccessGrantTest {

    private static final AccessGrant.Granted GRANTED = new AccessGrant.Granted(
            new ProcessAddress("abcdefghij01", ProcessPath.of(3, 9)),
            new ObjectAddress("abcdefghij01", ProcessPath.of(3, 4), 1_001),
            "java",
            Duration.ofSeconds(20));

    @Test
    void passesAreReadAsTheyWereWritten() throws IOException {
        assertThat(AccessGrant.decode(GRANTED.encode())).isEqualTo(GRANTED);
        AccessGrant denied = new AccessGrant.Denied("it is full");
        assertThat(AccessGrant.decode(denied.encode())).isEqualTo(denied);
    }

    @Test
    void whatIsNoPassIsRefused() {
        byte[] bytes = GRANTED.encode();
        for (int length = 0; length < bytes.length; length++) {
            byte[] cut = Arrays.copyOf(bytes, length);
            assertThatThrownBy(() -> AccessGrant.decode(cut)).isInstanceOf(IOException.class);
        }
        byte[] path = bytes.clone();
        path[1 + 1 + 12] = 100;
        assertThatThrownBy(() -> AccessGrant.decode(path)).isInstanceOf(IOException.class);
    }

    @Test
    void noisyPassesAreReadOrRefusedAndNothingElse() {
        Random random = new Random(5);
        for (int i = 0; i < 5_000; i++) {
            byte[] bytes = GRANTED.encode();
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            try {
                assertThat(AccessGrant.decode(bytes)).isNotNull();
            } catch (IOException e) {
                assertThat(e).isNotNull();
            }
        }
    }
}
