// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool.scheduling;

import java.util.ArrayDeque;
import java.util.function.Consumer;
import org.agrona.collections.Long2ObjectHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Notes which worker has which chunk: the chunks that are at workers, and those that wait for one. It decides whether
 * an answer is the first one or a duplicate, and which items of a lost worker count as begun. Belongs to the conductor.
 */
final class TaskLedger {

    /** More than attempts are by default: where nothing has begun it may be chance that each of these workers was lost. */
    static final int GREATEST_LOST_UNBEGUN = 5;

    final Long2ObjectHashMap<Chunk> assigned = new Long2ObjectHashMap<>();
    /** Chunks that were taken from a call and not sent yet. */
    final ArrayDeque<Chunk> unsent = new ArrayDeque<>();
    /** Such chunks that must run alone on a worker. */
    final ArrayDeque<Chunk> again = new ArrayDeque<>();

    private final PoolEffects effects;
    private final int threads;
    private final GivenUp givenUp;
    private long nextChunk = 1;
    /** How many chunks were sent once more, their worker being lost. */
    long rerun;
    /** How many items were in such chunks. */
    long itemsAgain;

    TaskLedger(PoolEffects effects, int threads, GivenUp givenUp) {
        this.effects = effects;
        this.threads = threads;
        this.givenUp = givenUp;
    }

    void assign(Chunk chunk, long nowNs) {
        assigned.put(chunk.id, chunk);
        chunk.call.give(chunk, nowNs);
        chunk.slot().give(chunk, nowNs);
    }

    long nextId() {
        return nextChunk++;
    }

    /** Returns the chunk that an answer belongs to; null when it is late or not this worker's. */
    @Nullable
    Chunk find(int worker, long id, int attempt) {
        Chunk chunk = assigned.get(id);
        return chunk == null || chunk.attempt != attempt || chunk.slot().worker.number != worker ? null : chunk;
    }

    void release(Chunk chunk) {
        assigned.remove(chunk.id);
        chunk.leaveQueue();
        chunk.slot().release(chunk);
        effects.released(chunk);
    }

    /**
     * Takes back all that a lost worker held; it runs again announced. Of announced items, those that had begun, one in
     * each thread, count an attempt. Of others it is not known which had begun, since quick results wait in the worker
     * for more, and those of a whole chunk may be lost while the next one runs: each counts an attempt, so that none is
     * begun more often than it may be. An item that is announced and never begins, because each worker that it is sent
     * to is lost before, is given up after {@link #GREATEST_LOST_UNBEGUN} of them. The loss of a worker that was
     * deserializing a function counts against that function's call, unless something else may have ended it; after a
     * few of those the call runs alone. What the platform took away counts neither against a function nor against what
     * had not begun.
     */
    void lose(WorkerSlot worker, Loss loss) {
        boolean nothingBegun = worker.hasBegunNothing();
        Call lethal = loss.isTaken() ? null : worker.onlyBeginsFunctionOf();
        if (lethal != null) {
            lethal.functionLost();
        }
        strikeOff(worker, chunk -> {
            if (chunk.isFirst() && chunk.announced && !chunk.hasBegun()) {
                loseUnbegun(chunk, nothingBegun, loss);
            } else {
                if (chunk.isFunctionBegun() && chunk.call != lethal && !loss.isTaken()) {
                    chunk.call.functionDoubted();
                }
                lose(chunk, loss);
            }
        });
    }

    /** What was next in its thread may have ended the worker as it arrived, unless something else had begun there. */
    private void loseUnbegun(Chunk chunk, boolean nothingBegun, Loss loss) {
        int from = chunk.answered;
        int lost = chunk.lostUnbegun + (nothingBegun && !loss.isTaken() ? 1 : 0);
        if (lost >= GREATEST_LOST_UNBEGUN) {
            Loss beforeBegin = loss.at(Loss.Stage.SENT);
            givenUp.onGivenUp(chunk.call, chunk.firstIndex() + from, GREATEST_LOST_UNBEGUN, beforeBegin);
        } else {
            again(chunk.nextItemAgainUnbegun(lost));
        }
        if (from + 1 < chunk.count()) {
            again(chunk.partAgain(from + 1, chunk.count() - from - 1, chunk.lostAttempts));
        }
    }

    /**
     * Takes back what a worker held that is ended because an item which it runs does not end: that one is over, nothing
     * behind it has begun, and what its neighbours run is not to blame, so nothing counts an attempt. An item of theirs that
     * has begun and may run only once is given up.
     */
    void condemn(Chunk stuck, Loss ofOthers) {
        strikeOff(stuck.slot().worker, chunk -> {
            if (chunk == stuck) {
                takeBack(chunk, chunk.answered + 1);
            } else {
                rerun += chunk.isFirst() ? 1 : 0;
                spare(chunk, ofOthers);
            }
        });
    }

    private void spare(Chunk chunk, Loss loss) {
        int from = chunk.answered;
        if (chunk.hasBegun() && chunk.call.limits.maxAttempts() == 1) {
            givenUp.onGivenUp(chunk.call, chunk.firstIndex() + from, 1, loss);
            from++;
        }
        takeBack(chunk, from);
    }

    private void takeBack(Chunk chunk, int from) {
        if (from < chunk.count()) {
            takeBack(chunk.unsentPart(from, chunk.count() - from));
        }
    }

    /** What has not begun, or is tried again, goes to the next worker; what must run alone still must. */
    void takeBack(Chunk unbegun) {
        (unbegun.alone ? again : unsent).add(unbegun);
    }

    private void strikeOff(WorkerSlot worker, Consumer<Chunk> wanted) {
        for (TaskSlot slot : worker.slots) {
            for (Chunk chunk : slot.held) {
                assigned.remove(chunk.id);
                chunk.leaveQueue();
                effects.lost(chunk);
                if (!chunk.cancelled && !chunk.call.isEnded()) {
                    wanted.accept(chunk);
                }
            }
        }
        worker.clear();
    }

    private void lose(Chunk chunk, Loss loss) {
        int from = chunk.answered;
        int attempts = chunk.lostAttempts;
        if (!chunk.announced) {
            chunk.call.lostUnannounced();
            again(chunk.partAgain(from, chunk.count() - from, attempts + 1));
            return;
        }
        if (chunk.hasBegun()) {
            if (attempts + 1 >= chunk.call.limits.maxAttempts()) {
                givenUp.onGivenUp(chunk.call, chunk.firstIndex() + from, attempts + 1, loss);
            } else {
                again(chunk.partAgain(from, 1, attempts + 1));
            }
            from++;
        }
        if (from < chunk.count()) {
            Chunk rest = chunk.partAgain(from, chunk.count() - from, attempts);
            again(chunk.isFirst() || loss.isTaken() ? rest : rest.lostBehindAnother(chunk));
        }
    }

    /** Where a worker has one thread, what runs again is alone in any case: one suspect at a time costs nothing there. */
    private void again(Chunk part) {
        rerun++;
        itemsAgain += part.count();
        takeBack(threads == 1 || part.isLastAttempt() || part.alone ? part.aloneFromNowOn() : part);
    }

    /** Tells whether a chunk must run alone; those of calls that have ended meanwhile are forgotten on the way. */
    boolean hasAgain() {
        while (!again.isEmpty() && again.element().call.isEnded()) {
            again.remove();
        }
        return !again.isEmpty();
    }

    /** Tells whether a chunk of a call waits until it can run alone. */
    boolean hasAgain(Call call) {
        for (Chunk chunk : again) {
            if (chunk.call == call) {
                return true;
            }
        }
        return false;
    }

    boolean isIdle() {
        return assigned.isEmpty();
    }

    /** Is told of an item that will not be tried again. */
    interface GivenUp {
        void onGivenUp(Call call, long index, int times, Loss loss);
    }
}
