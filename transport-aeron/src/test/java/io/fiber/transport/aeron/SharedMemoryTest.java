// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.aeron;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.spi.transport.Link;
import io.fiber.spi.transport.LinkState;
import io.fiber.spi.transport.OfferResult;
import io.fiber.spi.transport.Transport;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SharedMemoryTest {

    @TempDir
    Path directory;

    @Test
    void framesTravelBothWaysBetweenTwoTransportsOfOneHost() {
        Fixture fixture = new Fixture(directory);
        try (Transport master = fixture.open();
                Transport worker = new Fixture(directory).open()) {
            Link here = master.invite();
            Link there = worker.dial(here.address());
            await(master, worker, () -> here.state() == LinkState.CONNECTED && there.state() == LinkState.CONNECTED);
            assertThat(here.isConfined()).isTrue();
            assertThat(there.isConfined()).isTrue();
            ByteBuffer frame = ByteBuffer.allocateDirect(there.maxFrameLength());
            frame.put(0, (byte) 42);
            assertThat(there.offer(frame)).isEqualTo(OfferResult.ACCEPTED);
            int[] seen = {0, 0};
            await(
                    master,
                    worker,
                    () -> here.poll(
                                    (buffer, offset, length) -> {
                                        seen[0] = buffer.get(offset);
                                        seen[1] = length;
                                    },
                                    1)
                            == 1);
            assertThat(seen).containsExactly(42, there.maxFrameLength());
            there.close();
            await(master, worker, () -> here.state() == LinkState.CLOSED);
            assertThat(here.closeReason()).isEqualTo("closed by the peer, or the peer is gone");
        }
        assertThat(fixture.removedAtDeath)
                .hasSize(1)
                .allSatisfy(path -> assertThat(path).doesNotExist());
    }

    private static void await(Transport a, Transport b, java.util.function.BooleanSupplier condition) {
        long endNs = System.nanoTime() + 5_000_000_000L;
        while (!condition.getAsBoolean()) {
            a.doWork();
            b.doWork();
            assertThat(System.nanoTime()).isLessThan(endNs);
        }
    }
}
