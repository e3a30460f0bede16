// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class WorkerStartsTest {

    private final WorkerStarts starts = new WorkerStarts(new PoolLimits(8, 1, OptionalInt.empty(), 5, 100, 700, 8));

    private long backoffAfter(long failedNs) {
        starts.delay(failedNs);
        long waited = 0;
        while (!starts.isDue(failedNs + waited)) {
            waited++;
        }
        return waited;
    }

    @Test
    void firstStartNeedsNoWait() {
        assertThat(starts.isDue(Long.MIN_VALUE)).isTrue();
        assertThat(starts.isDue(Long.MAX_VALUE)).isTrue();
    }

    @Test
    void waitDoublesUpToItsLimit() {
        assertThat(backoffAfter(0)).isEqualTo(100);
        assertThat(backoffAfter(1_000)).isEqualTo(200);
        assertThat(backoffAfter(2_000)).isEqualTo(400);
        assertThat(backoffAfter(3_000)).isEqualTo(700);
        assertThat(backoffAfter(4_000)).isEqualTo(700);
    }

    @Test
    void startsThatFailTogetherAreWaitedForOnce() {
        for (int worker = 0; worker < 8; worker++) {
            starts.delay(worker);
        }
        assertThat(starts.isDue(99)).isFalse();
        assertThat(starts.isDue(100)).isTrue();
    }

    @Test
    void successEndsTheWaitAndTheRow() {
        backoffAfter(0);
        backoffAfter(1_000);
        starts.failed(2_000);
        starts.succeeded();

        assertThat(starts.failures).isZero();
        assertThat(starts.isDue(2_001)).isTrue();
        assertThat(backoffAfter(3_000)).isEqualTo(100);
    }

    @Test
    void fifthFailureInARowIsOneTooMany() {
        for (int failure = 1; failure < 5; failure++) {
            assertThat(starts.failed(failure * 10_000L)).isFalse();
        }
        assertThat(starts.failed(90_000)).isTrue();
        assertThat(starts.failures).isEqualTo(5);
    }

    @Test
    void postponedStartIsNoFailure() {
        for (int round = 1; round < 100; round++) {
            starts.delay(round * 10_000L);
        }
        assertThat(starts.failures).isZero();
    }

    @Test
    void waitHoldsWhenTheClockWrapsAround() {
        starts.failed(Long.MAX_VALUE - 10);

        assertThat(starts.isDue(Long.MAX_VALUE)).isFalse();
        assertThat(starts.isDue(Long.MIN_VALUE + 88)).isFalse();
        assertThat(starts.isDue(Long.MIN_VALUE + 89)).isTrue();
    }
}
