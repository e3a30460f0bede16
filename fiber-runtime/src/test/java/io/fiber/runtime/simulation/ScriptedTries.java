// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.simulation;

import io.fiber.Retry;
import io.fiber.function.SerializablePredicate;
import io.fiber.runtime.worker.RetriedFunction;
import java.time.Duration;
import java.util.Set;

/**
 * How items of a call that throw are tried again: what was asked, which items throw how often, and how often each was taken
 * to be tried again.
 */
public final class ScriptedTries {

    private static final long LONGEST_PAUSE_NS = 4_000_000_000L;

    /** What is thrown where a try more would be of no use. */
    private static final class Final extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Final(String message) {
            super(message);
        }
    }

    /** Which failures may be followed by another try. */
    private static final class UnlessFinal implements SerializablePredicate<Throwable> {
        private static final long serialVersionUID = 1L;

        @Override
        public boolean test(Throwable thrown) {
            return !(thrown instanceof Final);
        }
    }

    private final World world;
    private final String call;
    private final Retry limits;
    private final boolean isFinal;
    /** How often an item throws before it returns. */
    private final int[] failsFirst;

    private final int[] thrown;
    private final int[] taken;
    private final int[] takenWhenItBegan;
    private final long[] takenNs;

    ScriptedTries(World world, String call, int items) {
        this.world = world;
        this.call = call;
        int times = world.chance(0.3) ? world.random().nextInt(1, 4) : 0;
        this.limits = times == 0 ? Retry.times(0) : limits(times);
        this.isFinal = times > 0 && world.chance(0.3);
        this.failsFirst = new int[times == 0 ? 0 : items];
        this.thrown = new int[failsFirst.length];
        this.taken = new int[failsFirst.length];
        this.takenWhenItBegan = new int[failsFirst.length];
        this.takenNs = new long[failsFirst.length];
        double share = world.random().nextDouble();
        for (int i = 0; i < failsFirst.length; i++) {
            failsFirst[i] = world.chance(share * share) ? world.random().nextInt(1, times + 1) : 0;
        }
    }

    private Retry limits(int times) {
        long firstNs = world.chance(0.2) ? 0 : world.between(1_000, LONGEST_PAUSE_NS);
        return Retry.times(times)
                .backOff(Duration.ofNanos(firstNs), Duration.ofNanos(world.chance(0.5) ? LONGEST_PAUSE_NS : firstNs));
    }

    /** Returns what was asked. */
    public Retry limits() {
        return limits;
    }

    /** Returns the function as it travels. */
    Object function(Object named) {
        return limits.times() == 0 ? named : new RetriedFunction(named, new UnlessFinal());
    }

    /** Returns how often an item was taken to be tried again. */
    int taken(int index) {
        return taken.length == 0 ? 0 : taken[index];
    }

    /** Returns how many failures go before the last one of an item that always throws. */
    public int before() {
        return isFinal ? 0 : limits.times();
    }

    /** Returns what an item throws that always throws. */
    RuntimeException always(int index) {
        return isFinal ? new Final("item " + index) : new IllegalStateException("item " + index);
    }

    /** Tells whether this run of an item throws, though it will return a result some time. */
    boolean throwsNow(int index) {
        return thrown.length > 0 && thrown[index]++ < failsFirst[index];
    }

    /** The master waits for another try of an item, after so many failures. */
    public void seen(int index, int failures, Set<Integer> throwers) {
        if (failures == taken[index]) {
            return;
        }
        world.require(
                failures == taken[index] + 1 && failures <= limits.times(),
                () -> "item " + index + " of " + call + " is tried again after " + failures + " failures, which are "
                        + limits.times() + " at most and were " + taken[index]);
        world.require(
                !throwers.contains(index) || !isFinal,
                () -> "item " + index + " of " + call + " is tried again, and its failure was final");
        taken[index] = failures;
        takenNs[index] = world.nowNs();
    }

    /** An item begins; when it is tried again, not before its pause, of which a half may be left out. */
    void begins(int index) {
        if (taken(index) > 0 && taken[index] > takenWhenItBegan[index]) {
            takenWhenItBegan[index] = taken[index];
            long pauseNs = Math.min(
                    limits.longestPause().toNanos(), limits.firstPause().toNanos() << (taken[index] - 1));
            world.require(
                    world.nowNs() - takenNs[index] >= pauseNs / 2,
                    () -> "item " + index + " of " + call + " is tried again after " + (world.nowNs() - takenNs[index])
                            + " ns, where " + pauseNs / 2 + " are the least");
        }
    }
}
