// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool.scheduling;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.fiber.Retry;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/** Items that have thrown and wait for their next try. Plain state; the time comes in. Belongs to the conductor. */
final class Retries {

    /** A call that has so many items which have thrown takes no more new ones: what they hold of its input is bounded. */
    static final int GREATEST_COUNT_OF_CALL = 1 << 14;

    /** Some 73 years: twice that can still be added to a time. */
    private static final long LONGEST_PAUSE_NS = 1L << 61;

    private final PriorityQueue<Waiting> waiting = new PriorityQueue<>();

    /** Times are compared by their distance from the first one, since a clock may overflow. */
    private long originNs;

    private long total;

    /** Takes a chunk of one item that has thrown; returns false when it may not be tried again, and its failure is its answer. */
    boolean take(Chunk item, Answer.Block failure, long tookNs, long nowNs) {
        Call call = item.call;
        Retry retry = call.limits.retry();
        Tries tries = call.tries().get(item.firstIndex());
        if ((tries == null ? 0 : tries.failures.size()) >= retry.times()) {
            return false;
        }
        if (tries == null) {
            tries = new Tries();
            call.tries().put(item.firstIndex(), tries);
        }
        tries.failures.add(failure);
        tries.busyNs += tookNs;
        if (total == 0) {
            originNs = nowNs;
        }
        long pauseNs = pauseNs(retry, item.firstIndex(), tries.failures.size());
        waiting.add(new Waiting(item, nowNs - originNs + pauseNs, total++));
        return true;
    }

    /**
     * Returns the pause after a failure. It is shortened by up to a half, so that items which failed together do not come
     * back together; by how much depends on the item and the failure alone.
     *
     * @param failures how often the item has failed; at least 1
     */
    static long pauseNs(Retry retry, long index, int failures) {
        long longestNs = Math.min(NANOSECONDS.convert(retry.longestPause()), LONGEST_PAUSE_NS);
        long doubled = NANOSECONDS.convert(retry.firstPause());
        for (int i = 1; i < failures && doubled < longestNs; i++) {
            doubled *= 2;
        }
        long pauseNs = Math.min(doubled, longestNs);
        long half = pauseNs / 2;
        return pauseNs - new SplittableRandom(31 * index + failures).nextLong(half + 1);
    }

    /** Hands over the items whose pause is over. */
    void release(long nowNs, Consumer<Chunk> taker) {
        while (!waiting.isEmpty() && waiting.element().sinceOrigin() <= nowNs - originNs) {
            taker.accept(waiting.remove().item());
        }
    }

    void ended(Call call) {
        if (!waiting.isEmpty()) {
            waiting.removeIf(each -> each.item().call == call);
        }
    }

    void clear() {
        waiting.clear();
    }

    int waiting() {
        return waiting.size();
    }

    /** Returns how often an item was taken to be tried again. */
    long total() {
        return total;
    }

    /** The tries of one item that have failed. */
    static final class Tries {
        /** What each of them threw, as a block of this item alone. */
        final List<Answer.Block> failures = new ArrayList<>(2);

        /** How long they took together. */
        long busyNs;
    }

    private record Waiting(Chunk item, long sinceOrigin, long number) implements Comparable<Waiting> {
        @Override
        public int compareTo(Waiting other) {
            int byTime = Long.compare(sinceOrigin, other.sinceOrigin);
            return byTime == 0 ? Long.compare(number, other.number) : byTime;
        }
    }
}
