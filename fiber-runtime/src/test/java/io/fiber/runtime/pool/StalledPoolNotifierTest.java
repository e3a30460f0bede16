// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What is said of a pool that has no worker, with a clock that the test turns. */
class StalledPoolNotifierTest {

    private static final long SECOND = 1_000_000_000;
    private static final String RESOURCES =
            "Pool 'p' has had no worker for 10 s; 3 jobs wait. The platform says about 'w-1': Resources";

    private final List<String> told = new ArrayList<>();
    private final StalledPoolNotifier notifier = new StalledPoolNotifier("p", this::reasons, told::add);
    private long nowNs = Long.MAX_VALUE - 20 * SECOND;
    private String words = "Resources";
    private IntPredicate isSaidOf = worker -> true;

    private int up;

    /** The first of the three workers so many are up from now on. */
    private void up(int count) {
        up = count;
    }

    private Map<String, String> reasons() {
        Map<String, String> reasons = new LinkedHashMap<>();
        IntStream.rangeClosed(up + 1, 3).filter(isSaidOf).forEach(worker -> reasons.put("w-" + worker, words));
        return reasons;
    }

    private void pass(int seconds) {
        for (int i = 0; i < seconds; i++) {
            notifier.look(up, 3, nowNs);
            nowNs += SECOND;
        }
    }

    @Test
    void poolThatHasHadNoWorkerForTenSecondsSaysWhyOnce() {
        pass(10);
        assertThat(told).isEmpty();

        pass(600);

        assertThat(told).containsExactly(RESOURCES);
    }

    @Test
    void anotherReasonIsToldAfterTwiceTheTime() {
        pass(11);
        words = "Priority";
        pass(9);
        assertThat(told).containsExactly(RESOURCES);

        pass(1);

        assertThat(told)
                .containsExactly(
                        RESOURCES,
                        "Pool 'p' has had no worker for 20 s; 3 jobs wait. The platform says about 'w-1': Priority");
    }

    @Test
    void platformThatHasNotSaidWhyIsAwaited() {
        isSaidOf = worker -> false;
        pass(100);
        assertThat(told).isEmpty();

        words = "Priority";
        isSaidOf = worker -> worker == 2;
        pass(1);

        assertThat(told)
                .containsExactly(
                        "Pool 'p' has had no worker for 100 s; 1 job waits. The platform says about 'w-2': Priority");
    }

    @Test
    void poolWithAWorkerSaysNothingAndItsWaitBeginsAnewWhenTheLastIsGone() {
        pass(9);
        up(3);
        pass(100);
        up(0);
        pass(10);
        assertThat(told).isEmpty();

        pass(1);

        assertThat(told).containsExactly(RESOURCES);
    }

    @Test
    void poolWithSomeOfItsWorkersSaysOnceWhyOthersWait() {
        up(1);
        pass(60);
        assertThat(told).isEmpty();

        pass(1);
        words = "Priority";
        up(2);
        pass(1_000);

        assertThat(told).containsExactly("1 of 3 workers of pool 'p' are up; the platform says about 'w-2': Resources");
    }

    @Test
    void waitOfAPoolWithSomeWorkersBeginsAnewWhenAllWereUpOrNone() {
        up(1);
        pass(59);
        up(3);
        pass(1);
        up(2);
        pass(59);
        assertThat(told).isEmpty();
        up(0);
        pass(5);
        up(2);
        pass(60);
        assertThat(told).isEmpty();

        pass(1);

        assertThat(told).containsExactly("2 of 3 workers of pool 'p' are up; the platform says about 'w-3': Resources");
    }
}
