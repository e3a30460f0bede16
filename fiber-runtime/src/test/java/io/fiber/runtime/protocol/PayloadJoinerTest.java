// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.SerializationException;
import java.util.Arrays;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class PayloadJoinerTest {

    private static final int PART = 60_000;
    private static final int PARTS = 10;

    private final UnsafeBuffer part = new UnsafeBuffer(new byte[PART]);

    private PayloadJoiner joiner(long heapBytes) {
        return new PayloadJoiner((long) PARTS * PART, new HeapShare(heapBytes));
    }

    private Payload join(PayloadJoiner joiner) {
        for (int i = 0; i < PARTS; i++) {
            assertThat(joiner.missing()).isEqualTo((long) (PARTS - i) * PART);
            part.setMemory(0, PART, (byte) i);
            joiner.append(part, 0, PART);
        }
        assertThat(joiner.missing()).isZero();
        return joiner.toPayload();
    }

    @Test
    void partsAreJoinedInTheirOrder() {
        byte[] joined = join(joiner(PARTS * PART * 2)).toArray();

        assertThat(joined).hasSize(PARTS * PART);
        for (int i = 0; i < PARTS; i++) {
            byte[] expected = new byte[PART];
            Arrays.fill(expected, (byte) i);
            assertThat(Arrays.copyOfRange(joined, i * PART, (i + 1) * PART)).isEqualTo(expected);
        }
    }

    @Test
    void payloadAboveTheHeapIsReadToItsEndAndRefused() {
        Payload refused = join(joiner(PARTS * PART));

        assertThat(refused.length()).isZero();
        assertThatThrownBy(() -> refused.open())
                .isInstanceOf(SerializationException.class)
                .hasMessageStartingWith("FBR-208 A message of 600000 bytes does not fit into the heap of the process"
                        + " that received it ("
                        + Runtime.getRuntime().maxMemory() + " bytes at most).")
                .hasMessageContaining("-Xmx in worker.jvm-options");
    }
}
