// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.Retry;
import io.fiber.function.RemoteFunction;
import io.fiber.function.SerializableBiFunction;
import io.fiber.runtime.protocol.codec.Input;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Results that a worker combines before they leave. */
class TaskThreadCombineTest extends TaskThreadScene {

    private static final String COMBINED = "combined";

    private void run(
            SerializableBiFunction<Object, Object, Object> combiner,
            Optional<Retry> retry,
            int count,
            boolean announced) {
        RemoteFunction<Integer, Object> function = value -> BODY.get().apply(value);
        Object travels = RetriedFunction.of(new CombinedFunction<>(function, combiner), retry);
        run(chunk(new SentFunction(encoded(travels)), 7, Input.INT_RANGE, count, announced));
    }

    private static Object text(Object left, Object right) {
        if (right.equals("unwanted")) {
            throw new IllegalArgumentException("on purpose");
        }
        return left + "," + right;
    }

    /** Returns the answers of all items, and behind them what was combined: on a busy machine it leaves in parts. */
    private List<Object> together() {
        List<Object> all = new ArrayList<>();
        List<String> combined = new ArrayList<>();
        for (Report report : reports) {
            List<Object> answers = answersWithCombined(report);
            int count = ((Report.Results) report).count();
            all.addAll(answers.subList(0, count));
            answers.subList(count, answers.size()).forEach(text -> combined.add(String.valueOf(text)));
        }
        all.add(String.join(",", combined));
        return all;
    }

    private int failed() {
        return reports.stream()
                .mapToInt(report -> ((Report.Results) report).failed())
                .sum();
    }

    @Test
    void resultsOfQuickTasksLeaveAsOne() {
        body(value -> value);
        run((left, right) -> (int) left + (int) right, Optional.empty(), 10_000, false);

        assertThat(reports).hasSizeLessThan(1_000);
        int items = 0;
        int sum = 0;
        for (Report report : reports) {
            List<Object> answers = answersWithCombined(report);
            int count = ((Report.Results) report).count();
            assertThat(answers.subList(0, count)).containsOnly(COMBINED);
            assertThat(answers).hasSize(count + 1);
            items += count;
            sum += Integer.parseInt(String.valueOf(answers.get(count)));
        }
        assertThat(items).isEqualTo(10_000);
        assertThat(sum).isEqualTo(49_995_000);
    }

    @Test
    void announcedItemsAreAnsweredOneByOne() {
        body(value -> value);
        run(TaskThreadCombineTest::text, Optional.empty(), 2, true);

        assertThat(reports.stream()
                        .filter(report -> report instanceof Report.Results)
                        .map(this::answersWithCombined))
                .containsExactly(List.of(COMBINED, "0"), List.of(COMBINED, "1"));
    }

    @Test
    void taskThatThrowsLeavesTheOthersIntact() {
        body(value -> {
            if (value == 1) {
                throw new AssertionError("on purpose");
            }
            return value;
        });
        run(TaskThreadCombineTest::text, Optional.empty(), 3, false);

        assertThat(together()).containsExactly(COMBINED, "java.lang.AssertionError: on purpose", COMBINED, "0,2");
        assertThat(failed()).isEqualTo(1);
    }

    @Test
    void combinerThatThrowsFailsItsItemAlone() {
        body(value -> value == 1 ? "unwanted" : value);
        run(TaskThreadCombineTest::text, Optional.of(Retry.times(3)), 3, false);

        // After an item that took long its message leaves: then there was nothing to combine the next one with.
        boolean leftAlone = ((Report.Results) reports.get(0)).count() == 1;
        assertThat(together())
                .isEqualTo(
                        leftAlone
                                ? List.of(COMBINED, COMBINED, COMBINED, "0,unwanted,2")
                                : List.of(COMBINED, "java.lang.IllegalArgumentException: on purpose", COMBINED, "0,2"));
    }

    @Test
    void taskThatMayBeTriedAgainIsNotInWhatLeavesBeforeIt() {
        body(value -> {
            if (value == 2) {
                throw new IllegalStateException("on purpose");
            }
            return value;
        });
        run(TaskThreadCombineTest::text, Optional.of(Retry.times(3)), 4, false);

        assertThat(together())
                .containsExactly(COMBINED, COMBINED, "java.lang.IllegalStateException: on purpose", COMBINED, "0,1,3");
        assertThat(reports.stream().map(this::answersWithCombined))
                .contains(List.of("java.lang.IllegalStateException: on purpose"));
    }

    @Test
    void whatCannotBeWrittenIsAFailureBehindTheRest() {
        body(value -> new Unwritable());
        run((left, right) -> right, Optional.empty(), 2, false);

        assertThat(together())
                .hasSize(3)
                .startsWith(COMBINED, COMBINED)
                .last()
                .asString()
                .startsWith("io.fiber.SerializationException: FBR-201");
        assertThat(failed()).isEqualTo(reports.size());
    }
}
