// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.guest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.runtime.link.Ticket;
import io.fiber.runtime.secure.JobKey;
import io.fiber.runtime.service.ObjectAddress;
import io.fiber.runtime.wire.ProcessPath;
import io.fiber.runtime.wire.Seat;
import io.fiber.spi.Secret;
import io.fiber.spi.transport.Address;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PassTest {

    private static final Pass.Granted GRANTED = new Pass.Granted(
            new Seat("abcdefghij01", ProcessPath.of(3, 9)),
            new ObjectAddress("abcdefghij01", ProcessPath.of(3, 4), 1_001),
            new Ticket(new Address("aeron:udp;x"), 9, JobKey.of(Secret.of(new byte[JobKey.LENGTH_BYTES]))),
            new Pass.House("aeron", "java", Duration.ofSeconds(20)));

    @Test
    void passesAreReadAsTheyWereWritten() throws IOException {
        assertThat(Pass.decode(GRANTED.encode())).isEqualTo(GRANTED);
        Pass denied = new Pass.Denied("it is full");
        assertThat(Pass.decode(denied.encode())).isEqualTo(denied);
    }

    @Test
    void whatIsNoPassIsRefused() {
        byte[] bytes = GRANTED.encode();
        for (int length = 0; length < bytes.length; length++) {
            byte[] cut = Arrays.copyOf(bytes, length);
            assertThatThrownBy(() -> Pass.decode(cut)).isInstanceOf(IOException.class);
        }
        byte[] path = bytes.clone();
        path[1 + 1 + 12] = 100;
        assertThatThrownBy(() -> Pass.decode(path)).isInstanceOf(IOException.class);
    }

    @Test
    void noisyPassesAreReadOrRefusedAndNothingElse() {
        Random random = new Random(5);
        for (int i = 0; i < 5_000; i++) {
            byte[] bytes = GRANTED.encode();
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            try {
                assertThat(Pass.decode(bytes)).isNotNull();
            } catch (IOException e) {
                assertThat(e).isNotNull();
            }
        }
    }

    @Test
    void itsTextHasNoKey() {
        assertThat(GRANTED.toString()).doesNotContain("Secret");
    }
}
