// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** How near to the ideal a map comes whose tasks take very different times, in virtual time: what the planning itself costs. */
class SkewTest {

    private static final int WORKERS = 5;
    private static final int ITEMS = 10_000;
    private static final int SEEDS = 20;
    private static final long SHORT_NS = 200_000;
    private static final long LONG_NS = 200_000_000;
    private static final double LONG_SHARE = 0.01;

    @Test
    void mapOfSkewedTasksIsWithinATwentiethOfTheIdealWithoutAChunkSize() {
        double[] ratios = new double[SEEDS];
        for (int seed = 0; seed < SEEDS; seed++) {
            long[] durationsNs = skewed(new Random(seed));
            double ideal = (double) Arrays.stream(durationsNs).sum() / WORKERS;
            ratios[seed] = new TimedWorkers(WORKERS, durationsNs).run() / ideal;
        }
        Arrays.sort(ratios);

        assertThat((ratios[SEEDS / 2 - 1] + ratios[SEEDS / 2]) / 2)
                .as("median of %s", Arrays.toString(ratios))
                .isLessThan(1.05);
    }

    private static long[] skewed(Random random) {
        long[] durationsNs = new long[ITEMS];
        for (int item = 0; item < ITEMS; item++) {
            durationsNs[item] = random.nextDouble() < LONG_SHARE ? LONG_NS : SHORT_NS;
        }
        return durationsNs;
    }
}
