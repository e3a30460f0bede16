// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

/**
 * Decides how many items a chunk has and how many chunks a task thread holds, from what was measured: a chunk should run long
 * enough that its way does not matter, and short enough that no thread is left alone with much at the end. Plain state,
 * no clock.
 */
final class ChunkPlanner {

    /** What a chunk should take. Its cost on both conductors is some 10 to 20 microseconds: below 1 %. */
    private static final double CHUNK_NS = 2_000_000;
    /**
     * Towards the end no chunk is cut smaller than this: what nobody is left alone with for longer is not worth the way. Else
     * a thousand workers get some 20,000 chunks, however little there is to do.
     */
    private static final double LEAST_CHUNK_NS = 100_000;
    /** How much work a thread may hold beside what it runs, so that it never waits for the way. */
    private static final double HELD_NS = 3_000_000;

    private static final double GREATEST_HELD_NS = 50_000_000;
    /** A thread holds work for so many round trips. */
    private static final double ROUND_TRIPS = 2;

    private static final int HELD_CHUNKS = 512;
    private static final long HELD_BYTES = 512 << 10;
    private static final int GREATEST_CHUNK = 1 << 16;
    /** A chunk is at most this many times the largest one measured: a wrong first guess stays small. */
    private static final int GROWTH = 16;
    /** Towards the end chunks shrink to this share of what is left for each thread. */
    private static final int TAIL_SHARE = 3;

    /** Returns how many items the next chunk of a call should have. */
    int items(Call call, int threads) {
        if (call.limits().chunkItems() > 0) {
            return call.limits().chunkItems();
        }
        TaskFunction function = call.function();
        if (!function.isMeasured()) {
            return 1;
        }
        long byTime = (long) Math.min(GREATEST_CHUNK, CHUNK_NS / function.taskNs());
        long byExperience = (long) function.largestChunk() * GROWTH;
        long items = Math.min(byTime, byExperience);
        if (call.source() instanceof RangeSource range) {
            items = Math.min(items, Math.max(least(function), range.known() / ((long) threads * TAIL_SHARE)));
        }
        return (int) Math.max(1, items);
    }

    private static long least(TaskFunction function) {
        return (long) Math.min(GREATEST_CHUNK, LEAST_CHUNK_NS / function.taskNs());
    }

    /** Returns what a chunk is expected to take. */
    double expectedNs(Chunk chunk) {
        TaskFunction function = chunk.function();
        return function.isMeasured() ? function.taskNs() * chunk.count() : HELD_NS;
    }

    /** Tells whether a thread may be given one more chunk beside those it holds. */
    boolean hasRoom(Lane lane) {
        return lane.isIdle()
                || (lane.heldNs < heldNs(lane) && lane.held.size() < HELD_CHUNKS && lane.heldBytes < HELD_BYTES);
    }

    /** The longer the way, the more must be under way. */
    private static double heldNs(Lane lane) {
        return Math.min(GREATEST_HELD_NS, Math.max(HELD_NS, ROUND_TRIPS * lane.roundTripNs()));
    }

    /** Returns how many items of a chunk, which was taken from its call before, go to the next thread. */
    int share(Chunk chunk, int threads) {
        int most = items(chunk.call(), threads);
        return chunk.call().limits().chunkItems() > 0
                ? most
                : Math.max(1, Math.min(most, chunk.count() / (threads * TAIL_SHARE)));
    }
}
