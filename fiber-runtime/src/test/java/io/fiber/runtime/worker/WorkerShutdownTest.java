// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.worker;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WorkerShutdownTest {

    private static final long SECOND = 1_000_000_000;
    private static final long BEGIN = -100 * SECOND;

    private final WorkerShutdown shutdown = new WorkerShutdown(code -> {});

    @Test
    void whatHasNotLeftIsNotHeard() {
        assertThat(shutdown.isHeard(false, true, BEGIN)).isFalse();
        assertThat(shutdown.isHeard(false, true, BEGIN + 60 * SECOND)).isFalse();
    }

    @Test
    void whatLiesInSharedMemoryStaysThere() {
        assertThat(shutdown.isHeard(true, true, BEGIN)).isTrue();
    }

    @Test
    void overANetworkTheMastersAnswerIsAwaited() {
        assertThat(shutdown.isHeard(true, false, BEGIN)).isFalse();

        shutdown.heard();

        assertThat(shutdown.isHeard(true, false, BEGIN + 1)).isTrue();
    }

    @Test
    void masterThatSaysNothingIsAwaitedForThirtySecondsFromWhenTheWordHasLeft() {
        assertThat(shutdown.isHeard(false, false, BEGIN)).isFalse();
        assertThat(shutdown.isHeard(true, false, BEGIN + 60 * SECOND)).isFalse();
        assertThat(shutdown.isHeard(true, false, BEGIN + 90 * SECOND)).isFalse();
        assertThat(shutdown.isHeard(true, false, BEGIN + 90 * SECOND + 1)).isTrue();
    }
}
