// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import java.util.ArrayDeque;
import java.util.function.Consumer;
import org.agrona.collections.Long2ObjectHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Who has what: the chunks that are at workers, and those that must run again. It decides whether an answer is the first
 * one or a duplicate, and which items of a lost worker count as begun. Belongs to the conductor.
 */
final class TaskLedger {

    private final Long2ObjectHashMap<Chunk> assigned = new Long2ObjectHashMap<>();
    private final ArrayDeque<Chunk> again = new ArrayDeque<>();
    private final String pool;
    private long nextChunk = 1;
    private long rerun;

    /** Creates an empty ledger of a pool of this name. */
    TaskLedger(String pool) {
        this.pool = pool;
    }

    /** Notes that a chunk goes to a worker. */
    void assign(WorkerSlot worker, Chunk chunk, long nowNs) {
        assigned.put(chunk.id(), chunk);
        chunk.call().give(chunk);
        worker.give(chunk, nowNs);
        chunk.depart(pool);
    }

    long nextId() {
        return nextChunk++;
    }

    /** Returns the chunk that an answer belongs to; null when it is late or not this worker's. */
    @Nullable
    Chunk find(int worker, long id, int attempt) {
        Chunk chunk = assigned.get(id);
        return chunk == null || chunk.attempt() != attempt || chunk.holder() != worker ? null : chunk;
    }

    /** Strikes a chunk off: it is done, or nobody waits for it. */
    void release(WorkerSlot worker, Chunk chunk) {
        assigned.remove(chunk.id());
        chunk.leaveQueue();
        worker.release(chunk);
        chunk.arrive();
    }

    /**
     * Takes back all that a lost worker held; it runs again alone and announced. Of announced items, the one that had begun
     * counts an attempt. Of others nobody knows which had begun, since quick results wait in the worker for more, and those
     * of a whole chunk may be lost while the next one runs: each counts an attempt, so that none is begun more often than
     * it may be.
     *
     * @param givenUp takes the item whose last attempt this was
     */
    void lose(WorkerSlot worker, GivenUp givenUp) {
        for (Chunk chunk : worker.held) {
            assigned.remove(chunk.id());
            chunk.leaveQueue();
            chunk.lost();
            if (!chunk.isCancelled() && !chunk.call().isEnded()) {
                lose(chunk, givenUp);
            }
        }
        worker.held.clear();
    }

    /**
     * Takes back what a worker held that is ended because the item which it runs does not end: that one is over, nothing
     * behind it has begun.
     *
     * @param unbegun takes what others can run
     */
    void condemn(WorkerSlot worker, Chunk stuck, Consumer<Chunk> unbegun) {
        for (Chunk chunk : worker.held) {
            assigned.remove(chunk.id());
            chunk.leaveQueue();
            chunk.lost();
            int from = chunk.answered() + (chunk == stuck ? 1 : 0);
            if (!chunk.isCancelled() && !chunk.call().isEnded() && from < chunk.count()) {
                unbegun.accept(chunk.unsentPart(from, chunk.count() - from));
            }
        }
        worker.clear();
    }

    private void lose(Chunk chunk, GivenUp givenUp) {
        int from = chunk.answered();
        int attempts = chunk.lostAttempts();
        if (!chunk.isAnnounced()) {
            again(chunk, from, chunk.count() - from, attempts + 1);
            return;
        }
        if (chunk.hasBegun()) {
            if (attempts + 1 >= chunk.call().limits().maxAttempts()) {
                givenUp.onGivenUp(chunk.call(), chunk.firstIndex() + from, attempts + 1);
            } else {
                again(chunk, from, 1, attempts + 1);
            }
            from++;
        }
        if (from < chunk.count()) {
            again(chunk, from, chunk.count() - from, attempts);
        }
    }

    private void again(Chunk chunk, int from, int length, int attempts) {
        again.add(chunk.partAlone(from, length, attempts));
        rerun++;
    }

    /** Is told of an item that will not be tried again. */
    interface GivenUp {
        void onGivenUp(Call call, long index, int attempts);
    }

    /** Returns the chunks that must run again, each alone on its worker. */
    ArrayDeque<Chunk> again() {
        return again;
    }

    /** Tells whether a chunk must run again; those of calls that have ended meanwhile are forgotten on the way. */
    boolean hasAgain() {
        while (!again.isEmpty() && again.element().call().isEnded()) {
            again.remove();
        }
        return !again.isEmpty();
    }

    /** Tells whether no worker has anything. */
    boolean isIdle() {
        return assigned.isEmpty();
    }

    /** Returns how many chunks are at workers. */
    int assigned() {
        return assigned.size();
    }

    long rerun() {
        return rerun;
    }
}
