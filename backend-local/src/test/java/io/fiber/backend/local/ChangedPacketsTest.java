// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.aeron.protocol.DataHeaderFlyweight;
import io.aeron.protocol.HeaderFlyweight;
import io.fiber.Fiber;
import io.fiber.Pool;
import io.fiber.SerializationException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An attacker on the way of a session over UDP, who turns one bit of one packet. */
@Tag("slow")
class ChangedPacketsTest {

    private static final String ANSWER = "an answer that is long enough for a packet of its own: ";

    private final Interceptor interceptor = new Interceptor();

    @Test
    @Tag("soak")
    void packetThatIsChangedCostsItsConnectionAndEndsInAnErrorOrARerunAndNeverInAWrongAnswer() throws IOException {
        AtomicInteger changes = new AtomicInteger();
        try (Relay relay = new Relay()) {
            interceptor.detour(relay::detour);
            try (Fiber fiber = SealedSessions.builder(interceptor).open();
                    Pool pool = fiber.pool(1)) {
                List<Integer> items = LocalFiber.numbers(3_000);
                assertThat(SealedSessions.works(pool)).isTrue();
                for (int round = 0; round < 8; round++) {
                    changes.set(0);
                    Random random = new Random(round);
                    boolean headers = round % 2 == 0;
                    Relay.Way way = round < 4 ? Relay.Way.TO_WORKER : Relay.Way.TO_MASTER;
                    relay.change(way, bytes -> change(bytes, random, headers, changes));
                    try {
                        List<String> answers = pool.map(x -> ANSWER + x, items);
                        assertThat(answers)
                                .isEqualTo(items.stream().map(x -> ANSWER + x).toList());
                    } catch (SerializationException e) {
                        assertThat(e).hasMessageStartingWith("FBR-206");
                    }
                    assertThat(changes.get()).isEqualTo(1);
                    relay.changeNothing();
                    long lost = round + 1L;
                    await().atMost(LocalFiber.LIMIT)
                            .untilAsserted(() ->
                                    assertThat(pool.statistics().workersLost()).isEqualTo(lost));
                    assertThat(SealedSessions.works(pool)).isTrue();
                }
            }
        }
    }

    /** Turns one bit of one data packet, in the headers of a frame or in what follows them. */
    private static byte[] change(byte[] bytes, Random random, boolean headers, AtomicInteger changes) {
        int start = DataHeaderFlyweight.HEADER_LENGTH;
        if (changes.get() > 0 || bytes.length < 200 || bytes[6] != HeaderFlyweight.HDR_TYPE_DATA) {
            return bytes;
        }
        changes.incrementAndGet();
        byte[] changed = bytes.clone();
        int headersLength = (bytes[start] & 0xff) | (bytes[start + 1] & 0xff) << 8;
        int frameLength =
                ByteBuffer.wrap(bytes).order(java.nio.ByteOrder.LITTLE_ENDIAN).getInt(0) - start;
        int bodies = 2 + headersLength;
        int where = headers || bodies >= frameLength
                ? 2 + random.nextInt(headersLength)
                : bodies + random.nextInt(frameLength - bodies);
        changed[start + where] ^= (byte) (1 << random.nextInt(8));
        return changed;
    }
}
