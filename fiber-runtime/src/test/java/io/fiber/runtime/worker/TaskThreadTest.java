// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.Retry;
import io.fiber.function.RemoteFunction;
import io.fiber.runtime.protocol.ResultMark;
import io.fiber.runtime.protocol.codec.Input;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Results and failures of tasks. */
class TaskThreadTest extends TaskThreadScene {

    @Test
    void resultsOfQuickTasksTravelTogether() {
        body(value -> value);
        run(chunk(ints(), 7, Input.INT_RANGE, 10_000, false));

        assertThat(answers(7)).hasSize(10_000).startsWith("0", "1").endsWith("9999");
        assertThat(reports).hasSizeLessThan(1_000);
    }

    @Test
    void readingTheFunctionIsNotCountedAsTheTasksTime() {
        body(value -> value);
        RemoteFunction<Integer, Object> function = new SlowToRead();
        run(chunk(new SentFunction(encoded(function)), 7, Input.INT_RANGE, 1, false));

        assertThat(((Report.Results) reports.get(0)).busyNs()).isPositive().isLessThan(SlowToRead.READ_NS);
    }

    @Test
    void taskThatThrowsAfterItsDeadlineIsOverdueAndNotTriedAgain() {
        RemoteFunction<Integer, Object> function = value -> BODY.get().apply(value);
        SentFunction retried = new SentFunction(encoded(RetriedFunction.of(function, Optional.of(Retry.times(3)))));
        body(value -> {
            throw new IllegalStateException("on purpose");
        });
        run(chunkWithDeadline(retried, 7, 1));

        assertThat(reports).singleElement().isInstanceOfSatisfying(Report.Results.class, results -> {
            assertThat(results.payload().bytes().toArray()).containsExactly((byte) ResultMark.OVERDUE);
            assertThat(results.mayBeRetried()).isFalse();
            assertThat(results.failed()).isEqualTo(1);
        });
    }

    @Test
    void resultsOfSlowTasksDoNotWaitForTheRest() {
        body(value -> {
            long untilNs = System.nanoTime() + 20_500_000;
            while (System.nanoTime() < untilNs) {
                Thread.onSpinWait();
            }
            return value;
        });
        run(chunk(ints(), 7, Input.INT_RANGE, 3, false));

        assertThat(reports).hasSize(3);
        assertThat(reports)
                .extracting(report -> ((Report.Results) report).isLast())
                .containsExactly(false, false, true);
        assertThat(answers(7)).containsExactly("0", "1", "2");
    }

    @Test
    void greatResultsDoNotWaitForTheRest() {
        body(value -> "x".repeat(1 << 16));
        run(chunk(ints(), 7, Input.INT_RANGE, 3, false));

        assertThat(reports).hasSize(3);
    }

    /** A worker ends when its last chunk has: what is to be done then must not come behind that. */
    @Test
    void chunkWhoseTasksLeaveSomethingToBeDoneHasNotEndedBefore() {
        List<String> done = new ArrayList<>();
        body(value -> {
            hooks.add("an item", () -> done.add("acknowledged"));
            return value;
        });
        run(chunk(ints(), 7, Input.INT_RANGE, 1, false));

        assertThat(answers(7)).containsExactly("0");
        assertThat(reports).hasSize(2);
        assertThat(((Report.Results) reports.get(0)).isLast()).isFalse();
        ((Report.Ended) reports.get(1)).afterwards().forEach(Runnable::run);
        assertThat(done).containsExactly("acknowledged");
    }

    /** Those behind it may take long, and may end the worker. */
    @Test
    void whatATaskLeavesToBeDoneIsDoneBeforeTheNextOneOfItsChunk() {
        List<String> done = new ArrayList<>();
        body(value -> {
            if (value < 2) {
                hooks.add("an item", () -> done.add("acknowledged " + value));
            }
            return value;
        });
        run(chunk(ints(), 7, Input.INT_RANGE, 4, false));

        assertThat(answers(7)).containsExactly("0", "1", "2", "3");
        assertThat(reports)
                .extracting(report -> (Object) report.getClass())
                .startsWith(Report.Results.class, Report.Completed.class, Report.Results.class, Report.Completed.class);
        for (int i = 0; i < 2; i++) {
            assertThat(((Report.Results) reports.get(2 * i)).count()).isEqualTo(1);
            ((Report.Completed) reports.get(2 * i + 1)).afterwards().forEach(Runnable::run);
            assertThat(done).last().isEqualTo("acknowledged " + i);
        }
    }

    @Test
    void taskThatThrowsLeavesTheOthersIntact() {
        body(value -> {
            if (value == 1) {
                throw new AssertionError("on purpose");
            }
            return value;
        });
        run(chunk(ints(), 7, Input.INT_RANGE, 3, false));

        assertThat(answers(7)).containsExactly("0", "java.lang.AssertionError: on purpose", "2");
    }

    @Test
    void resultThatCannotBeWrittenLeavesTheOthersIntact() {
        body(value -> value == 1 ? new Unwritable() : "r" + value);
        run(chunk(ints(), 7, Input.INT_RANGE, 3, false));

        assertThat(answers(7)).hasSize(3).startsWith("r0").endsWith("r2");
        assertThat(answers(7).get(1)).asString().startsWith("io.fiber.SerializationException: FBR-201");
    }

    @Test
    void functionThatCannotBeReadFailsEveryItem() {
        run(chunk(new SentFunction(encoded(new UnreadableFunction())), 7, Input.INT_RANGE, 3, false));

        assertThat(answers(7)).hasSize(3).allMatch(answer -> answer.toString().startsWith("io.fiber.SerializationExc"));
    }

    @Test
    void itemThatCannotBeReadFailsAlone() {
        run(chunk(items(), 7, Input.ITEMS, new int[] {0, 3}, encoded("a", new Unreadable(), "c"), false));

        assertThat(answers(7)).hasSize(3).startsWith("a").endsWith("c");
        assertThat(answers(7).get(1)).asString().startsWith("io.fiber.SerializationException");
    }

    @Test
    void itemsOfAnotherChunkArePassedOverEvenWhenTheyCannotBeRead() {
        run(chunk(items(), 7, Input.ITEMS, new int[] {2, 2}, encoded("a", new Unreadable(), "c", "d"), false));

        assertThat(answers(7)).containsExactly("c", "d");
    }

    @Test
    void queueThatIsFullRefusesMore() {
        Work work = chunk(ints(), 7, Input.INT_RANGE, 1, false);
        for (int i = 0; i < 1024; i++) {
            assertThat(runner.offer(work)).isTrue();
        }
        assertThat(runner.offer(work)).isFalse();
    }
}
