// SPDX-License-Identifier: Apache-2.0
package io.fiber.page;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RecorderTest {

    private static final Recorder.Span SPAN = new Recorder.Span(1, 1_000, 2_000, "f", 3, 0, "DONE");

    @Test
    void poolsOfWhichNothingIsToldOrAskedAreForgotten() {
        try (Recorder recorder = new Recorder()) {
            recorder.add("watched", SPAN, 3);
            for (int i = 0; i < 2 * Recorder.GREATEST_POOLS; i++) {
                recorder.add("pool-" + i, SPAN, 3);
                assertThat(recorder.timeline("watched")).containsExactly(SPAN);
            }

            assertThat(recorder.answersPerSecond("watched", 3).get(AnswerCounts.SECONDS - 1))
                    .isEqualTo(3);
            assertThat(recorder.timeline("pool-" + (2 * Recorder.GREATEST_POOLS - 1)))
                    .containsExactly(SPAN);
            assertThat(recorder.timeline("pool-0")).isEmpty();
        }
    }
}
