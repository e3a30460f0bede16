// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class HeapRoomTest {

    private static final long HEAP = 256L << 20;

    private final AtomicLong used = new AtomicLong();
    private final AtomicLong garbage = new AtomicLong();
    private final AtomicLong trials = new AtomicLong();
    private final HeapRoom room = new HeapRoom(HEAP, () -> used.get() + garbage.get(), bytes -> {
        trials.incrementAndGet();
        garbage.set(0);
        return used.get() + bytes <= HEAP;
    });

    /** Writes what fills the heap with objects, so many bytes for each byte that is written. */
    private PayloadLimitException writingWithoutEnd(PayloadOutput out, int objectBytes) {
        byte[] part = new byte[64 << 10];
        return catchThrowableOfType(PayloadLimitException.class, () -> {
            while (used.get() < HEAP) {
                out.write(part, 0, part.length);
                used.addAndGet((long) part.length * objectBytes);
            }
        });
    }

    @Test
    void whatHasNoEndIsStoppedBeforeTheHeapIsFull() {
        for (int objectBytes : new int[] {1, 2, 10, 40}) {
            used.set(0);
            PayloadLimitException stopped = writingWithoutEnd(new PayloadOutput(room), objectBytes);

            assertThat(stopped.bound()).isEqualTo(PayloadLimitException.Bound.HEAP);
            assertThat(stopped.heapBytes()).isEqualTo(HEAP);
            assertThat(stopped.limitBytes()).isBetween(1L, HEAP);
            assertThat(used.get()).isBetween(HEAP / 2, HEAP - 1);
        }
    }

    @Test
    void garbageIsNoReasonToStop() {
        PayloadOutput out = new PayloadOutput(room);
        garbage.set(HEAP);
        out.write(new byte[2 << 20], 0, 2 << 20);

        assertThat(out.length()).isEqualTo(2 << 20);
        assertThat(trials.get()).isEqualTo(1);
    }

    @Test
    void smallPayloadsAreWrittenIntoAFullHeap() {
        used.set(HEAP);
        PayloadOutput out = new PayloadOutput(room);
        out.write(new byte[100_000], 0, 100_000);

        assertThat(out.length()).isEqualTo(100_000);
        assertThat(trials.get()).isZero();
    }

    @Test
    void anOutputThatIsUsedAgainIsLookedAtAgain() {
        PayloadOutput out = new PayloadOutput(room);
        for (int i = 0; i < 3; i++) {
            garbage.set(HEAP);
            out.write(new byte[2 << 20], 0, 2 << 20);
            out.toPayload();
            garbage.set(HEAP);
            out.write(new byte[2 << 20], 0, 2 << 20);
            out.truncate(0);
        }

        assertThat(trials.get()).isEqualTo(6);
    }

    /** Whether a collection can be asked for or not, and whatever the collector. */
    @Test
    void theHeapOfThisProcessHasRoomForSixteenthsOfIt() {
        long sixteenth = Runtime.getRuntime().maxMemory() / 16;

        assertThat(HeapRoom.OF_PROCESS.hasRoom().test(sixteenth)).isTrue();
        assertThat(HeapRoom.OF_PROCESS.hasRoom().test(sixteenth)).isTrue();
    }

    @Test
    void whatWasAdmittedByItsLengthIsNotStopped() {
        PayloadOutput out = PayloadOutput.ofAnnounced(20L << 20);
        out.write(new byte[20 << 20], 0, 20 << 20);

        assertThat(out.length()).isEqualTo(20 << 20);
    }
}
