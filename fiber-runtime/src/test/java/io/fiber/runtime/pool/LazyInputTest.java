// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** In how many chunks items travel that a thread serializes one after the other, in virtual time. */
class LazyInputTest {

    private static final int WORKERS = 5;
    private static final long MS = 1_000_000;

    private static TimedWorkers workers(long taskNs, int items) {
        long[] durationsNs = new long[items];
        Arrays.fill(durationsNs, taskNs);
        return new TimedWorkers(WORKERS, durationsNs);
    }

    /** Workers are quicker than the thread, which has to share its processor with them. */
    @Test
    void tinyTasksTravelInFewChunksThoughTheirFeederIsLate() {
        TimedWorkers workers = workers(200, 100_000);

        assertThat(workers.runFed(1_000, 3 * MS, 0)).isLessThan(250 * MS);
        assertThat(workers.chunks()).isLessThan(600);
    }

    /** What is taken back from a worker that waits for a processor is a part of a block: it is not sent item by item. */
    @Test
    void tinyTasksTravelInFewChunksThoughWorkersAreLate() {
        TimedWorkers workers = workers(5_000, 20_000);

        assertThat(workers.runFed(1_000, 1_000 * MS, 40 * MS)).isLessThan(1_500 * MS);
        assertThat(workers.chunks()).isLessThan(2_500);
    }

    @Test
    void itemsOfASlowFeederAreSentAsTheyCome() {
        TimedWorkers workers = workers(10 * MS, 100);

        assertThat(workers.runFed(5 * MS, 1_000 * MS, 0)).isLessThan(520 * MS);
        assertThat(workers.chunks()).isEqualTo(100);
    }

    @Test
    void longTasksAreSpreadOneByOne() {
        TimedWorkers workers = workers(1_000 * MS, 50);

        assertThat(workers.runFed(1_000, 3 * MS, 0)).isLessThan(10_100 * MS);
        assertThat(workers.chunks()).isEqualTo(50);
    }
}
