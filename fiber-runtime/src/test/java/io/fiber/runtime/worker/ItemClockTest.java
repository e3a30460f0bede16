// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.worker;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ItemClockTest {

    private final ItemClock clock = new ItemClock();

    @Test
    void clockIsLookedAtAfterEachItemThatIsNotQuick() {
        clock.begin(0);
        for (int item = 1; item < 10; item++) {
            assertThat(clock.isDue()).isTrue();
            clock.seen(item * 1_000L);
        }
    }

    @Test
    void threeItemsPassUnseenAfterQuickOnes() {
        clock.begin(0);
        assertThat(clock.isDue()).isTrue();
        clock.seen(999);
        for (int item = 0; item < 3; item++) {
            assertThat(clock.isDue()).isFalse();
        }
        assertThat(clock.isDue()).isTrue();
        clock.seen(999 + 4 * 1_000);
        assertThat(clock.isDue()).isTrue();
    }

    @Test
    void nothingPassesUnseenAtTheBeginningOfAChunk() {
        clock.begin(0);
        assertThat(clock.isDue()).isTrue();
        clock.seen(1);
        clock.begin(2);
        assertThat(clock.isDue()).isTrue();
    }
}
