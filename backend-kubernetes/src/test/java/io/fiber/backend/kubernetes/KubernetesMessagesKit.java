// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.Connection;
import io.fiber.Fiber;
import io.fiber.FiberProcess;
import io.fiber.Pipe;
import io.fiber.Pool;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Messages that fill a datagram, and that are larger than a container's /dev/shm. {@link KubernetesClusterTest} runs it
 * beside a real cluster, and in a pod of it.
 */
@Tag("soak")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class KubernetesMessagesKit {

    private static final int DATAGRAM_BYTES = 60_000;
    private static final int LARGE_BYTES = 200_000_000;
    private static final int DATAGRAMS = 500;

    @AfterEach
    void nothingIsLeft() {
        KubernetesFixture.awaitNothingLeft();
    }

    static byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        Arrays.fill(bytes, (byte) 1);
        return bytes;
    }

    static int sum(byte[] bytes) {
        int sum = 0;
        for (byte each : bytes) {
            sum += each;
        }
        return sum;
    }

    @Test
    void messageOf200MegabytesPassesBothWaysBetweenProgramAndPod() {
        try (Fiber fiber = KitFiber.builder("1g").open();
                Pool pool = fiber.pool(1)) {
            assertThat(pool.apply(KubernetesMessagesKit::bytes, LARGE_BYTES)).hasSize(LARGE_BYTES);
            assertThat(pool.apply(KubernetesMessagesKit::sum, bytes(LARGE_BYTES)))
                    .isEqualTo(LARGE_BYTES);
        }
    }

    @Test
    void messagesOf60000BytesAndOf200MegabytesPassBetweenPods() {
        try (Fiber fiber = KitFiber.builder("1g").open()) {
            Pipe<byte[], Integer> data = fiber.pipe();
            Pipe<String, String> said = fiber.pipe();
            Connection<byte[], Integer> sending = data.first();
            Connection<Integer, byte[]> receiving = data.second();
            Connection<String, String> saying = said.second();
            FiberProcess sender = fiber.process(() -> {
                for (int i = 0; i < DATAGRAMS; i++) {
                    sending.sendBytes(bytes(DATAGRAM_BYTES));
                }
                sending.sendBytes(bytes(LARGE_BYTES));
                assertThat(sending.receive()).isEqualTo(LARGE_BYTES);
                sending.close();
            });
            FiberProcess receiver = fiber.process(() -> {
                int small = 0;
                for (int i = 0; i < DATAGRAMS; i++) {
                    small += sum(receiving.receiveBytes());
                }
                int large = sum(receiving.receiveBytes());
                receiving.send(large);
                saying.send(small + " " + large);
                saying.close();
                receiving.close();
            });

            try (Connection<String, String> hearing = said.first()) {
                assertThat(hearing.receive()).isEqualTo(DATAGRAMS * DATAGRAM_BYTES + " " + LARGE_BYTES);
            }
            assertThat(sender.join()).as(() -> "sender: " + sender.failure()).isZero();
            assertThat(receiver.join())
                    .as(() -> "receiver: " + receiver.failure())
                    .isZero();
        }
    }
}
