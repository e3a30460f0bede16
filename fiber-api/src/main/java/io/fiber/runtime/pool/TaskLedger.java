// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.agrona.collections.Long2ObjectHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Who has what: the chunks that are at workers, and those that must run again. It decides whether an answer is the first
 * one or a duplicate, and which item of a lost worker had begun. Belongs to the conductor.
 */
final class TaskLedger {

    private final Long2ObjectHashMap<Chunk> assigned = new Long2ObjectHashMap<>();
    private final ArrayDeque<Chunk> again = new ArrayDeque<>();
    private long nextChunk = 1;
    private long rerun;

    /** Notes that a chunk goes to a worker. */
    void assign(WorkerSlot worker, Chunk chunk) {
        assigned.put(chunk.id(), chunk);
        chunk.call().give(chunk);
        worker.give(chunk);
    }

    long nextId() {
        return nextChunk++;
    }

    /** Returns the chunk that an answer belongs to; null when it is late or not this worker's. */
    @Nullable
    Chunk find(WorkerSlot worker, long id, int attempt) {
        Chunk chunk = assigned.get(id);
        return chunk == null || chunk.attempt() != attempt || chunk.holder() != worker.worker ? null : chunk;
    }

    /** Strikes a chunk off: it is done, or nobody waits for it. */
    void release(WorkerSlot worker, Chunk chunk) {
        assigned.remove(chunk.id());
        chunk.leaveQueue();
        worker.release(chunk);
    }

    /**
     * Takes back all that a lost worker held. The first chunk's first item without an answer is the one that had begun: it
     * counts an attempt and runs alone; the rest runs again announced. When the first chunk was cancelled nobody is
     * blamed: nothing behind it is known to have begun.
     *
     * @param givenUp takes the item whose last attempt this was
     */
    void lose(WorkerSlot worker, GivenUp givenUp) {
        boolean head = true;
        List<Chunk> parts = new ArrayList<>();
        for (Chunk chunk : worker.held) {
            assigned.remove(chunk.id());
            chunk.leaveQueue();
            boolean first = head;
            head = false;
            if (chunk.call().isEnded()) {
                continue;
            }
            int from = chunk.answered();
            if (first && chunk.hasBegun()) {
                int attempts = chunk.lostAttempts() + 1;
                if (attempts >= chunk.call().limits().maxAttempts()) {
                    givenUp.onGivenUp(chunk.call(), chunk.firstIndex() + from, attempts);
                } else {
                    parts.add(chunk.announcedPart(from, 1, attempts));
                }
                from++;
            }
            if (from < chunk.count()) {
                parts.add(chunk.announcedPart(
                        from, chunk.count() - from, from == chunk.answered() ? chunk.lostAttempts() : 0));
            }
        }
        worker.held.clear();
        rerun += parts.size();
        again.addAll(parts);
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
