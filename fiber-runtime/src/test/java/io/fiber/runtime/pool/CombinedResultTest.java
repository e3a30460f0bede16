// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.RemoteTaskException;
import io.fiber.runtime.pool.scheduling.Answer;
import io.fiber.runtime.worker.CombinedFunction;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

class CombinedResultTest {

    private final Answers answers = new Answers(Answers.Room.BOUNDED, 1, () -> {}, () -> {});
    private final CombinedResult<String> reduction =
            new CombinedResult<>(new CombinedFunction<String, String>(item -> item, CombinedResultTest::joined));
    private final Collector collector = new Collector(answers, EncodedResults.reader(), reduction);

    private static String joined(String left, String right) {
        if (right.contains("unwanted")) {
            throw new IllegalArgumentException("on purpose");
        }
        return left + right;
    }

    private void combined(int first, String value) {
        answers.onAnswer(new Answer.Block(first, value.length(), EncodedResults.combined(value.length(), value)));
    }

    @RepeatedTest(20)
    void partsAreCombinedInTheOrderOfTheItemsWhateverTheirOwn(RepetitionInfo seed) {
        Random random = new Random(seed.getCurrentRepetition());
        String all = "abcdefghijklmnopqrstuvwxyz";
        List<int[]> parts = new ArrayList<>();
        for (int from = 0; from < all.length(); ) {
            int to = Math.min(all.length(), from + 1 + random.nextInt(4));
            parts.add(new int[] {from, to});
            from = to;
        }
        Collections.shuffle(parts, random);
        for (int[] part : parts) {
            combined(part[0], all.substring(part[0], part[1]));
            collector.getAsBoolean();
        }
        answers.onEnd(all.length());

        assertThat(collector.getAsBoolean()).isTrue();
        assertThat(collector.failure()).isNull();
        assertThat(reduction.behind(">")).isEqualTo(">" + all);
    }

    @Test
    void withoutItemsTheInitialValueIsLeft() {
        answers.onEnd(0);

        assertThat(collector.getAsBoolean()).isTrue();
        assertThat(reduction.behind("initial")).isEqualTo("initial");
    }

    @Test
    void failureOfATaskEndsTheCall() {
        combined(2, "cd");
        answers.onAnswer(new Answer.Block(
                0, 1, EncodedResults.of(new IllegalStateException("first")), Optional.of("worker 'w'")));

        assertThat(collector.getAsBoolean()).isTrue();
        assertThat(collector.failure())
                .isInstanceOf(RemoteTaskException.class)
                .hasMessageContainingAll("Task 0", "first");
    }

    @Test
    void whatWasCombinedAndCannotTravelEndsTheCall() {
        answers.onAnswer(new Answer.Block(
                5, 2, EncodedResults.combined(2, new IllegalStateException("no form")), Optional.of("worker 'w'")));

        assertThat(collector.getAsBoolean()).isTrue();
        assertThat(collector.failure())
                .isInstanceOf(RemoteTaskException.class)
                .hasMessageContainingAll("Task 6", "no form");
    }

    @Test
    void whatTheCombinerThrowsHereEndsTheCall() {
        combined(0, "ab");
        combined(2, "unwanted");

        assertThat(collector.getAsBoolean()).isTrue();
        assertThat(collector.failure())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("on purpose");
    }
}
