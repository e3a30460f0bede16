// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.runtime.pool.scheduling.PoolWorld;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The warnings about lost workers of a pool, with a clock that the test sets. */
class LostWorkersNotifierTest {

    private static final long SECOND = 1_000_000_000;

    private final List<String> told = new ArrayList<>();
    private final LostWorkersNotifier notifier = new LostWorkersNotifier("p", told::add);
    private final long beganNs = Long.MAX_VALUE - 5 * SECOND;

    private void lost(String worker, long again, long failed, long atSecond) {
        notifier.lost(PoolWorld.loss(worker, "exit code 9"), again, failed, beganNs + atSecond * SECOND);
    }

    private void look(long atSecond) {
        notifier.look(beganNs + atSecond * SECOND);
    }

    @Test
    void firstLossIsToldAtOnce() {
        lost("w-1", 12, 0, 0);

        assertThat(told)
                .containsExactly(
                        "FBR-490 Pool 'p' lost worker 'w-1', exit code 9. 12 of its tasks go to other workers.");
        assertThat(notifier.isTimed()).isFalse();
    }

    @Test
    void lossesThatFollowAreSummedUp() {
        lost("w-1", 1, 1, 0);
        lost("w-2", 3, 0, 1);
        lost("w-3", 4, 1, 2);
        look(9);
        assertThat(told)
                .containsExactly(
                        "FBR-490 Pool 'p' lost worker 'w-1', exit code 9. 1 of its tasks goes to another worker."
                                + " 1 of its tasks fails.");
        assertThat(notifier.isTimed()).isTrue();

        look(10);
        look(11);
        lost("w-4", 0, 0, 12);
        look(29);
        assertThat(told).hasSize(2);
        look(30);

        assertThat(told.subList(1, 3))
                .containsExactly(
                        "FBR-490 Pool 'p' lost 2 more workers, the last one was worker 'w-3', exit code 9."
                                + " 7 of their tasks go to other workers. 1 of their tasks fails.",
                        "FBR-490 Pool 'p' lost 1 more worker: worker 'w-4', exit code 9. It had no task.");
    }

    @Test
    void lossAfterAQuietMinuteIsToldAtOnce() {
        lost("w-1", 1, 0, 0);
        lost("w-2", 1, 0, 61);

        assertThat(told).hasSize(2).last().asString().startsWith("FBR-490 Pool 'p' lost worker 'w-2', exit code 9.");
    }

    @Test
    void whatIsNotToldYetIsToldAtTheEnd() {
        lost("w-1", 1, 0, 0);
        lost("w-2", 1, 0, 1);
        notifier.tellRest(beganNs + 2 * SECOND);
        notifier.tellRest(beganNs + 3 * SECOND);

        assertThat(told).hasSize(2).last().asString().startsWith("FBR-490 Pool 'p' lost 1 more worker: worker 'w-2'");
    }
}
