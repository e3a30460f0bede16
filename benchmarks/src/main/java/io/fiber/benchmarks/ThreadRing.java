// SPDX-License-Identifier: Apache-2.0
package io.fiber.benchmarks;

import io.fiber.function.FloatBinaryOperator;
import java.util.Arrays;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/**
 * The ring algorithm with threads for members: in each step a member copies a block into the inbox of the next one, and
 * combines or replaces its own by what lies in its inbox.
 */
final class ThreadRing {

    private static final double NS_PER_S = 1e9;

    private final int size;
    private final float[][] arrays;
    private final float[][] inboxes;
    private final CyclicBarrier barrier;
    private final FloatBinaryOperator operator = Float::sum;

    ThreadRing(int size, int length) {
        this.size = size;
        this.arrays = new float[size][length];
        this.inboxes = new float[size][length / size + 1];
        this.barrier = new CyclicBarrier(size);
    }

    /** Does it once, with threads of its own; returns the seconds from the first barrier to the last. */
    double allReduce() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(size);
        try {
            var members = IntStream.range(0, size)
                    .mapToObj(rank -> threads.submit(() -> member(rank)))
                    .toList();
            double seconds = 0;
            for (Future<Double> each : members) {
                seconds = Math.max(seconds, each.get());
            }
            return seconds;
        } finally {
            threads.shutdown();
        }
    }

    private double member(int rank) throws InterruptedException, BrokenBarrierException {
        float[] mine = arrays[rank];
        Arrays.fill(mine, rank + 1);
        barrier.await();
        long beginNs = System.nanoTime();
        for (int step = 0; step < 2 * (size - 1); step++) {
            int sent = Math.floorMod(rank - step, size);
            System.arraycopy(mine, start(sent), inboxes[(rank + 1) % size], 0, start(sent + 1) - start(sent));
            barrier.await();
            int taken = Math.floorMod(rank - 1 - step, size);
            take(mine, taken, inboxes[rank], step < size - 1);
            barrier.await();
        }
        double seconds = (System.nanoTime() - beginNs) / NS_PER_S;
        RingProgram.check(mine);
        return seconds;
    }

    private void take(float[] mine, int block, float[] inbox, boolean combines) {
        int at = start(block);
        int count = start(block + 1) - at;
        if (combines) {
            for (int i = 0; i < count; i++) {
                mine[at + i] = operator.applyAsFloat(inbox[i], mine[at + i]);
            }
        } else {
            System.arraycopy(inbox, 0, mine, at, count);
        }
    }

    private int start(int block) {
        return (int) ((long) block * arrays[0].length / size);
    }
}
