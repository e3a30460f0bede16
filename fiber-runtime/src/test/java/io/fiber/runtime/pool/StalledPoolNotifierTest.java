// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What is said of a pool that has no worker, with a clock that the test turns. */
class StalledPoolNotifierTest {

    private static final long SECOND = 1_000_000_000;
    private static final String RESOURCES =
            "Pool 'p' has had no worker for 10 s; 3 jobs wait. Of 'w-1' the platform says:" + " Resources";

    private final List<String> told = new ArrayList<>();
    private final StalledPoolNotifier notifier = new StalledPoolNotifier("p", told::add);
    private long nowNs = Long.MAX_VALUE - 20 * SECOND;
    private int up;
    private int requested = 3;
    private int waiting = 3;
    private String words = "Resources";

    private final StalledPoolNotifier.Workers workers = new StalledPoolNotifier.Workers() {
        @Override
        public int up() {
            return up;
        }

        @Override
        public int requested() {
            return requested;
        }

        @Override
        public List<StalledPoolNotifier.Reason> reasons() {
            return IntStream.rangeClosed(1, waiting)
                    .mapToObj(number -> new StalledPoolNotifier.Reason("w-" + number, words))
                    .toList();
        }
    };

    private void pass(int seconds) {
        for (int i = 0; i < seconds; i++) {
            notifier.look(workers, nowNs);
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
                        "Pool 'p' has had no worker for 20 s; 3 jobs wait. Of 'w-1' the platform says: Priority");
    }

    @Test
    void platformThatHasNotSaidWhyIsAwaited() {
        waiting = 0;
        pass(100);
        assertThat(told).isEmpty();

        words = "Priority";
        waiting = 1;
        pass(1);

        assertThat(told)
                .containsExactly(
                        "Pool 'p' has had no worker for 100 s; 1 job waits. Of 'w-1' the platform says: Priority");
    }

    @Test
    void poolWithAWorkerSaysNothingAndItsWaitBeginsAnewWhenTheLastIsGone() {
        pass(9);
        up = 3;
        pass(100);
        up = 0;
        pass(10);
        assertThat(told).isEmpty();

        pass(1);

        assertThat(told).containsExactly(RESOURCES);
    }

    @Test
    void poolWithSomeOfItsWorkersSaysOnceWhyOthersWait() {
        up = 1;
        pass(60);
        assertThat(told).isEmpty();

        pass(1);
        words = "Priority";
        up = 2;
        pass(1_000);

        assertThat(told).containsExactly("1 of 3 workers of pool 'p' are up; of 'w-1' the platform says: Resources");
    }

    @Test
    void waitOfAPoolWithSomeWorkersBeginsAnewWhenAllWereUpOrNone() {
        up = 1;
        pass(59);
        up = 3;
        pass(1);
        up = 2;
        pass(59);
        assertThat(told).isEmpty();
        up = 0;
        pass(5);
        up = 2;
        pass(60);
        assertThat(told).isEmpty();

        pass(1);

        assertThat(told).containsExactly("2 of 3 workers of pool 'p' are up; of 'w-1' the platform says: Resources");
    }
}
