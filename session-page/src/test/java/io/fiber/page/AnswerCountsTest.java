// SPDX-License-Identifier: Apache-2.0
package io.fiber.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class AnswerCountsTest {

    private static final long NOW = 1_700_000_000;

    private final AnswerCounts counts = new AnswerCounts();

    private List<Integer> last(int seconds, long until) {
        List<Integer> all = counts.until(until);
        return all.subList(all.size() - seconds, all.size());
    }

    @Test
    void eachSecondHasItsTasksInWhateverOrderTheyAreTold() {
        counts.add(NOW + 1, 5);
        counts.add(NOW, 2);
        counts.add(NOW + 1, 1);

        assertThat(last(3, NOW + 2)).containsExactly(0, 2, 6);
        assertThat(last(3, NOW + 3)).containsExactly(2, 6, 0);
        assertThat(counts.until(NOW + 3)).hasSize(AnswerCounts.SECONDS);
    }

    @Test
    void whatIsOlderThanTheOldestSecondIsForgotten() {
        counts.add(NOW, 2);
        counts.add(NOW + AnswerCounts.SECONDS, 3);
        counts.add(NOW, 7);

        assertThat(counts.until(NOW + AnswerCounts.SECONDS + 1)).endsWith(3).containsOnly(0, 3);
        assertThat(counts.until(NOW + 5L * AnswerCounts.SECONDS)).containsOnly(0);
    }
}
