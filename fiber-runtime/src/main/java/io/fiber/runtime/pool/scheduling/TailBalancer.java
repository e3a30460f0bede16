// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool.scheduling;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.function.Predicate;

/**
 * Asks busy task threads for what they have not begun, when others have nothing to do and no other work is left. Of each
 * thread that does without something there is one more that has something to do. Belongs to the conductor.
 */
final class TailBalancer {

    /** Less than this is done sooner than it is moved: a worker that runs a task hears of a recall after 10 ms or later. */
    private static final double WORTH_MOVING_NS = 20_000_000;

    /** An idle thread loses this at most, 1.5 % of what is worth moving. */
    private static final long LOOK_NS = 300_000;
    /** A look at a thousand workers takes 0.1 ms or more. */
    private static final long LOOK_NS_OF_A_WORKER = 3_000;
    /** A recall without an answer is repeated after this long: asking twice does no harm. */
    private static final long PATIENCE_NS = 100_000_000;

    private final PoolEffects effects;
    private final List<TaskSlot> rich = new ArrayList<>();
    private long lookedNs;
    private long pauseNs;
    private boolean looked;

    TailBalancer(PoolEffects effects) {
        this.effects = effects;
    }

    /** Recalls what {@code idle} threads could do. */
    void balance(Iterable<WorkerSlot> workers, int idle, long nowNs) {
        if (looked && nowNs - lookedNs < pauseNs) {
            return;
        }
        looked = true;
        lookedNs = nowNs;
        int count = 0;
        for (WorkerSlot worker : workers) {
            count++;
            for (TaskSlot slot : worker.slots) {
                if (slot.leftNs(nowNs) > WORTH_MOVING_NS && hasSpare(slot, nowNs)) {
                    rich.add(slot);
                }
            }
        }
        pauseNs = Math.max(LOOK_NS, count * LOOK_NS_OF_A_WORKER);
        if (rich.size() > idle) {
            rich.sort(Comparator.comparingDouble(slot -> -slot.leftNs(nowNs)));
        }
        for (int i = 0; i < Math.min(idle, rich.size()); i++) {
            recall(rich.get(i), nowNs, chunk -> isSpare(chunk, nowNs));
        }
        rich.clear();
    }

    /** Asks a thread for what it has not begun of some of its chunks, the last one first. */
    private void recall(TaskSlot slot, long nowNs, Predicate<Chunk> meant) {
        for (Iterator<Chunk> chunks = slot.held.descendingIterator(); chunks.hasNext(); ) {
            Chunk chunk = chunks.next();
            if (meant.test(chunk)) {
                chunk.recall(nowNs);
                effects.recall(chunk.slot().worker.number, chunk);
            }
        }
    }

    /** Asks a worker that will go for everything that it has not begun, also for what it would keep otherwise. */
    void recallAll(WorkerSlot worker, long nowNs) {
        for (TaskSlot slot : worker.slots) {
            recall(slot, nowNs, chunk -> chunk.mayBeRecalled(nowNs, PATIENCE_NS) && !chunk.cancelled);
        }
    }

    private static boolean hasSpare(TaskSlot slot, long nowNs) {
        for (Chunk chunk : slot.held) {
            if (isSpare(chunk, nowNs)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Of the chunk that runs, one item has begun; one of a fixed size stays together. One that runs alone would only go from
     * one worker to the next.
     */
    private static boolean isSpare(Chunk chunk, long nowNs) {
        if (!chunk.mayBeRecalled(nowNs, PATIENCE_NS) || chunk.cancelled || chunk.alone) {
            return false;
        }
        return !chunk.isFirst() || chunk.count() - chunk.answered > Math.max(1, chunk.call.limits.chunkItems());
    }
}
