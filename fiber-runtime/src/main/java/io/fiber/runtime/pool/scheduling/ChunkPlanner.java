// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool.scheduling;

/**
 * Decides how many items a chunk has and how many chunks a task thread holds, from what was measured: a chunk should run long
 * enough that its way does not matter, and short enough that no thread is left alone with much at the end. Plain state,
 * no clock.
 */
final class ChunkPlanner {

    /**
     * What a chunk should take at least. Its cost on both conductors is some 10 to 20 microseconds once their code is
     * compiled: below 1 %.
     */
    private static final double CHUNK_NS = 5_000_000;
    /**
     * Towards the end no chunk is cut smaller than this: moving less work than that to another worker is not worth the
     * way.
     */
    private static final double LEAST_CHUNK_NS = 100_000;
    /** What chunks of a fixed size take together at most when they share a message. */
    private static final double TOGETHER_NS = 300_000;
    /** What one more chunk costs the master, which sends one after the other. */
    private static final double COST_NS = 15_000;
    /** What a byte of a block costs the worker that reads it: most of it Java's serialization, not warmed up. */
    private static final double BYTE_NS = 30;
    /** While little is known of a function, no more chunks of a call are at workers: they tell as much as a thousand would. */
    private static final int TRIAL_CHUNKS = 32;
    /** Tasks that have not answered by then are long: all threads are worth having. */
    private static final long TRIAL_NS = 10_000_000;
    /** How much work a thread may hold beside what it runs, so that it never waits for the way. */
    private static final double HELD_NS = 8_000_000;

    /** However long the way is, a thread holds no more work than this: at the end of a call it would be taken back. */
    private static final double GREATEST_HELD_NS = 50_000_000;
    /** A thread holds work for so many round trips. */
    private static final double ROUND_TRIPS = 2;

    /** The way may take this share of the time that a chunk takes. */
    private static final double SHARE_OF_WAY = 0.05;

    /** Bounds the ledger where tasks are so short that {@link #HELD_NS} does not. */
    private static final int HELD_CHUNKS = 512;
    /** Bounds what waits in a worker's memory for each thread. */
    private static final long HELD_BYTES = 512 << 10;
    /** Bounds what runs again when a worker is lost. */
    private static final int GREATEST_CHUNK = 1 << 16;
    /** A chunk is at most this many times the largest one measured: a wrong first guess stays small. */
    private static final int GROWTH = 16;
    /** Towards the end chunks shrink to this share of what is left for each thread. */
    private static final int TAIL_SHARE = 3;

    /** The last round trip that was known of a thread; it stands for those of which none is known. */
    private double roundTripNs;

    /** Returns how many items the next chunk of a call should have. */
    int items(Call call, TaskSlot slot, int threads) {
        TaskFunction function = call.function;
        int fixed = call.limits.chunkItems();
        if (fixed > 0) {
            return mayTravelTogether(call) ? together(fixed, byTime(function, TOGETHER_NS), function) : fixed;
        }
        if (!function.isMeasured()) {
            return 1;
        }
        if (slot.roundTripNs() > 0) {
            roundTripNs = slot.roundTripNs();
        }
        long items = Math.min(byTime(function, Math.max(CHUNK_NS, worthNs(roundTripNs))), byExperience(function));
        if (call.source instanceof RangeSource range) {
            long left = range.known();
            items = Math.min(items, Math.max(least(function, left), left / ((long) threads * TAIL_SHARE)));
        }
        return (int) Math.max(1, items);
    }

    /** Items of which each counts on its own, as it may begin once only or has a deadline, are answered one by one. */
    private static boolean mayTravelTogether(Call call) {
        return call.function.isMeasured() && call.limits.maxAttempts() > 1 && call.limits.deadlineNs() == 0;
    }

    /** Returns how many items go in one message, as whole chunks of {@code fixed} items; at least one chunk. */
    private static int together(int fixed, long items, TaskFunction function) {
        return (int) Math.max(1, Math.min(items, byExperience(function)) / fixed) * fixed;
    }

    private static long byTime(TaskFunction function, double chunkNs) {
        return (long) Math.min(GREATEST_CHUNK, chunkNs / function.taskNs());
    }

    private static long byExperience(TaskFunction function) {
        return (long) function.largestChunk * GROWTH;
    }

    /**
     * Returns how many of the items that are left are worth a way of their own. In n chunks the master has sent them after n
     * times the cost of one, and the last of them is done after the n-th part of the work: the sum is least when both
     * are the same. However many workers there are, more of them would not be done sooner.
     */
    private static long least(TaskFunction function, long left) {
        double worthNs = Math.sqrt(left * function.taskNs() * COST_NS);
        return (long) Math.min(GREATEST_CHUNK, Math.max(LEAST_CHUNK_NS, worthNs) / function.taskNs());
    }

    /**
     * Tells whether a call has enough chunks at workers for now: its function was not measured, or not in chunks large enough
     * to know how many threads are worth a chunk.
     */
    boolean isTriedByEnough(Call call, long nowNs) {
        return call.held().size() >= TRIAL_CHUNKS
                && call.limits.chunkItems() == 0
                && isOnTrial(call.function)
                && nowNs - call.begunNs() < TRIAL_NS;
    }

    private static boolean isOnTrial(TaskFunction function) {
        return !function.isMeasured() || byExperience(function) < byTime(function, CHUNK_NS);
    }

    /** Returns what a chunk is expected to take. */
    double expectedNs(Chunk chunk) {
        TaskFunction function = chunk.function();
        return function.isMeasured() ? function.taskNs() * chunk.count() : HELD_NS;
    }

    /** Tells whether a thread may be given one more chunk beside those it holds. */
    boolean hasRoom(TaskSlot slot) {
        return slot.isIdle()
                || ((slot.heldNs < heldNs(slot) || isWayLong(slot))
                        && slot.held.size() < HELD_CHUNKS
                        && slot.heldBytes < HELD_BYTES);
    }

    /**
     * Tells whether a thread that holds one chunk would wait for the next one for too large a share of its time. Where a
     * thousand workers answer at the same time the way is long, because the master serves one after the other.
     */
    private boolean isWayLong(TaskSlot slot) {
        Chunk first = slot.held.element();
        return slot.held.size() == 1
                && first.function().isMeasured()
                && Math.max(slot.heldNs, expectedNs(first)) < worthNs(slot.roundTripNs());
    }

    /** Returns how long a thread should be busy for each round trip. */
    private static double worthNs(double roundTripNs) {
        return Math.min(GREATEST_HELD_NS, roundTripNs / SHARE_OF_WAY);
    }

    /** The longer the way, the more must be under way. */
    private static double heldNs(TaskSlot slot) {
        return Math.min(GREATEST_HELD_NS, Math.max(HELD_NS, ROUND_TRIPS * slot.roundTripNs()));
    }

    /** Returns how many items of a chunk, which was taken from its call before, go to the next thread. */
    int share(Chunk chunk, TaskSlot slot, int threads) {
        int most = items(chunk.call, slot, threads);
        int fixed = chunk.call.limits.chunkItems();
        if (fixed > 0) {
            return Math.min(most, together(fixed, chunk.count() / (threads * TAIL_SHARE), chunk.function()));
        }
        long worth = chunk.function().isMeasured() ? Math.max(least(chunk.function(), chunk.count()), whole(chunk)) : 1;
        return (int) Math.max(Math.max(1, worth), Math.min(most, chunk.count() / (threads * TAIL_SHARE)));
    }

    /** Each part of a block takes the way of the whole block, and its worker reads all that stands in front of the part. */
    private static long whole(Chunk chunk) {
        return (long)
                (chunk.items().payload().length() * BYTE_NS / chunk.function().taskNs());
    }
}
