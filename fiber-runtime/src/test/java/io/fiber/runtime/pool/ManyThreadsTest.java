// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** What a thousand task threads are given, in virtual time: long tasks reach all of them at once, tiny ones as many as help. */
class ManyThreadsTest {

    private static final int THREADS = 1_000;
    private static final long S = 1_000_000_000;
    private static final long MS = 1_000_000;

    private static TimedWorkers threads(long taskNs, int items) {
        long[] durationsNs = new long[items];
        Arrays.fill(durationsNs, taskNs);
        return new TimedWorkers(THREADS, durationsNs);
    }

    @Test
    void longTasksReachAllThreadsAfterTheTrialAtTheLatest() {
        TimedWorkers workers = threads(S, THREADS);

        assertThat(workers.run()).isLessThan(S + 12 * MS);
        assertThat(workers.asked()).isEqualTo(THREADS);
    }

    @Test
    void tasksOfTenMillisecondsReachAllThreads() {
        TimedWorkers workers = threads(10 * MS, 10 * THREADS);

        assertThat(workers.run()).isLessThan(113 * MS);
        assertThat(workers.asked()).isEqualTo(THREADS);
    }

    @Test
    void tinyTasksTravelInFewChunks() {
        TimedWorkers workers = threads(100, 200_000);

        assertThat(workers.run()).isLessThan(3 * MS);
        assertThat(workers.chunks()).isLessThan(250);
    }

    @Test
    void longTasksBehindTinyOnesReachAllThreads() {
        long[] durationsNs = new long[32 + THREADS];
        Arrays.fill(durationsNs, S);
        Arrays.fill(durationsNs, 0, 32, 100);
        TimedWorkers workers = new TimedWorkers(THREADS, durationsNs);

        assertThat(workers.run()).isLessThan(2 * S);
    }
}
