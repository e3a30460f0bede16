// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.worker;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class GoodbyeBarrierTest {

    private static final long SECOND = 1_000_000_000;
    private static final long BEGIN = -100 * SECOND;

    private final GoodbyeBarrier word = new GoodbyeBarrier();

    @Test
    void whatHasNotLeftIsNotHeard() {
        assertThat(word.isHeard(false, true, BEGIN)).isFalse();
        assertThat(word.isHeard(false, true, BEGIN + 60 * SECOND)).isFalse();
    }

    @Test
    void whatLiesInSharedMemoryStaysThere() {
        assertThat(word.isHeard(true, true, BEGIN)).isTrue();
    }

    @Test
    void overANetworkTheMastersAnswerIsAwaited() {
        assertThat(word.isHeard(true, false, BEGIN)).isFalse();

        word.heard();

        assertThat(word.isHeard(true, false, BEGIN + 1)).isTrue();
    }

    @Test
    void masterThatSaysNothingIsAwaitedForThirtySecondsFromWhenTheWordHasLeft() {
        assertThat(word.isHeard(false, false, BEGIN)).isFalse();
        assertThat(word.isHeard(true, false, BEGIN + 60 * SECOND)).isFalse();
        assertThat(word.isHeard(true, false, BEGIN + 90 * SECOND)).isFalse();
        assertThat(word.isHeard(true, false, BEGIN + 90 * SECOND + 1)).isTrue();
    }
}
