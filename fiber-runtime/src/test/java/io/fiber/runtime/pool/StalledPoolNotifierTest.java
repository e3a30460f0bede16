// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.runtime.process.WorkerTitle;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is said of a pool that has no worker, with a clock that the test turns. */
class StalledPoolNotifierTest {

    private static final long SECOND = 1_000_000_000;
    private static final String RESOURCES =
            "Pool 'p' has had no worker for 10 s; 3 jobs wait. The platform says about 'w': Resources";

    private final List<String> told = new ArrayList<>();
    private final StalledPoolNotifier notifier = new StalledPoolNotifier("p", told::add);
    private long nowNs = Long.MAX_VALUE - 20 * SECOND;
    private String words = "Resources";
    private IntPredicate isSaidOf = worker -> true;

    private final PoolWorld world = new PoolWorld(3) {
        @Override
        public WorkerTitle title(int worker) {
            return new WorkerTitle(waitsFor(worker).isPresent() ? "w" : "silent");
        }

        @Override
        public Optional<String> waitsFor(int worker) {
            WorkerSlot slot = machine.registry.find(worker);
            boolean waits = slot != null && !slot.isUp;
            return Optional.of(words).filter(reason -> waits && isSaidOf.test(worker));
        }
    };

    private final WorkerRegistry registry = world.machine.registry;

    @BeforeEach
    void start() {
        registry.startMissing(nowNs);
    }

    /** Of the three workers so many are up from now on; others start in place of those that were up. */
    private void up(int count) {
        List<WorkerSlot> workers = new ArrayList<>();
        registry.all().forEach(workers::add);
        for (WorkerSlot worker : workers) {
            if (worker.isUp && registry.up > count) {
                registry.remove(worker.worker);
            } else if (!worker.isUp && registry.up < count) {
                registry.ready(worker.worker, nowNs);
            }
        }
        registry.startMissing(nowNs);
    }

    private void pass(int seconds) {
        for (int i = 0; i < seconds; i++) {
            notifier.look(registry, world, nowNs);
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
                        "Pool 'p' has had no worker for 20 s; 3 jobs wait. The platform says about 'w': Priority");
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
                        "Pool 'p' has had no worker for 100 s; 1 job waits. The platform says about 'w': Priority");
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

        assertThat(told).containsExactly("1 of 3 workers of pool 'p' are up; the platform says about 'w': Resources");
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

        assertThat(told).containsExactly("2 of 3 workers of pool 'p' are up; the platform says about 'w': Resources");
    }
}
