// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import io.fiber.FiberException;
import io.fiber.PoolBrokenException;
import io.fiber.PoolClosedException;
import io.fiber.PoolState;
import io.fiber.ProcessStartException;
import io.fiber.runtime.wire.Parcel;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import org.agrona.collections.Int2ObjectHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The state of a pool. Events and the time come in, effects go out to {@link PoolEffects}; there is no thread, clock or
 * socket in here, so that a test can drive it through any order of events.
 *
 * <pre>
 * RUNNING ─shutdown─► DRAINING ─every call answered, every worker gone─► TERMINATED
 *         ─terminate | too many failed starts─► TERMINATING ─every worker gone─► TERMINATED(cause)
 * </pre>
 *
 * Belongs to the conductor.
 */
public final class PoolMachine {

    private final String name;
    private final PoolLimits limits;
    private final PoolEffects effects;
    private final ChunkPlanner planner = new ChunkPlanner();
    private final TaskLedger ledger = new TaskLedger();
    private final WorkerStarts starts;
    private final Int2ObjectHashMap<WorkerSlot> workers = new Int2ObjectHashMap<>();
    private final WorkerQueue free = new WorkerQueue();
    /** Every call that has not ended. */
    private final Set<Call> open = new LinkedHashSet<>();
    /** Those of them that may have items to hand out, each in turn. */
    private final ArrayDeque<Call> turns = new ArrayDeque<>();

    private PoolState state = PoolState.RUNNING;
    private Optional<FiberException> cause = Optional.empty();
    private @Nullable Chunk refused;
    private boolean wanted;
    private int nextWorker = 1;
    private int ready;
    private int alone;
    private int reserved;
    private long itemsAnswered;
    private long itemsLost;
    private long workersLost;
    private long workersStarted;

    /** Creates a pool without workers; they are started when the first call comes. */
    public PoolMachine(String name, PoolLimits limits, PoolEffects effects) {
        this.name = name;
        this.limits = limits;
        this.effects = effects;
        this.starts = new WorkerStarts(limits);
    }

    /** Returns where the pool stands. */
    public PoolState state() {
        return state;
    }

    /** Returns how many workers are ready. */
    public int readyWorkers() {
        return ready;
    }

    /** Returns what ended the pool, when a fault did. */
    public Optional<FiberException> cause() {
        return cause;
    }

    /** Returns how many items were answered. */
    public long itemsAnswered() {
        return itemsAnswered;
    }

    /** Returns how many items were given up. */
    public long itemsLost() {
        return itemsLost;
    }

    /** Returns how many workers were lost. */
    public long workersLost() {
        return workersLost;
    }

    /** Returns how many chunks had to run again. */
    public long chunksRerun() {
        return ledger.rerun();
    }

    /** Returns how many answers came late and were ignored. */
    public long duplicates() {
        return ledger.duplicates();
    }

    /** Returns how many workers have become ready. */
    public long workersStarted() {
        return workersStarted;
    }

    /** Starts the workers, if that has not been done. */
    public void onStart() {
        wanted = true;
    }

    /** Takes a call; it is refused at once when the pool takes none any more. */
    public void onCall(Call call) {
        if (state != PoolState.RUNNING) {
            call.end();
            call.sink().onBroken(cause.orElseGet(() -> new PoolClosedException(name, state)));
            return;
        }
        wanted = true;
        call.open();
        open.add(call);
        turns.add(call);
        endIfComplete(call);
    }

    /** The source of a call has said that no item follows. */
    public void onInputEnd(Call call) {
        endIfComplete(call);
    }

    /** Drops what is left of a call; its sink hears no more. */
    public void onCancel(Call call) {
        if (call.isEnded()) {
            return;
        }
        call.end();
        open.remove(call);
        ledger.forget(call);
        if (refused != null && refused.call() == call) {
            refused = null;
        }
        for (WorkerSlot worker : workers.values()) {
            for (Chunk chunk : worker.held) {
                if (chunk.call() == call && !chunk.isCancelled()) {
                    chunk.cancel();
                    effects.cancel(worker.worker, chunk);
                }
            }
        }
    }

    /** A worker has shaken hands and run its initializer. */
    public void onWorkerReady(int id) {
        WorkerSlot worker = workers.get(id);
        if (worker != null && worker.state == WorkerSlot.State.STARTING) {
            worker.state = WorkerSlot.State.READY;
            ready++;
            workersStarted++;
            starts.succeeded();
            free.add(worker);
        }
    }

    /** A worker ended before it was ready. */
    public void onStartFailed(int id, Loss loss, long nowNs) {
        WorkerSlot worker = remove(id);
        if (worker != null && worker.state == WorkerSlot.State.STARTING && starts.failed(nowNs) && isActive()) {
            fail(new PoolBrokenException(
                    name,
                    starts.failures(),
                    loss.lastLines(),
                    ProcessStartException.ended(loss.worker(), loss.how(), loss.lastLines(), null)));
        }
    }

    /** The cluster could not be asked for a worker; it will be asked again. */
    public void onStartPostponed(int id, long nowNs) {
        if (remove(id) != null) {
            starts.postponed(nowNs);
        }
    }

    /** A ready worker is gone; what it had runs elsewhere. A drained one is gone as it should be. */
    public void onWorkerGone(int id, Loss loss) {
        WorkerSlot worker = remove(id);
        if (worker == null) {
            return;
        }
        if (worker.isIdle() && worker.state == WorkerSlot.State.DRAINING) {
            return;
        }
        workersLost++;
        ledger.lose(worker, (call, index, attempts) -> {
            itemsLost++;
            call.answered(1);
            call.sink().onLost(index, attempts, loss);
            endIfComplete(call);
        });
    }

    /** An item of an announced chunk is about to run. */
    public void onBegun(int id, long chunkId, int attempt, int item) {
        WorkerSlot worker = workers.get(id);
        Chunk chunk = worker == null ? null : ledger.find(worker, chunkId, attempt);
        if (chunk != null) {
            chunk.begun(item);
        }
    }

    /** Results have arrived. */
    public void onResult(int id, Answer answer, Parcel results) {
        WorkerSlot worker = workers.get(id);
        Chunk chunk = worker == null ? null : ledger.find(worker, answer.chunk(), answer.attempt());
        if (worker == null
                || chunk == null
                || answer.firstItem() != chunk.answered()
                || answer.count() > chunk.count() - chunk.answered()) {
            return;
        }
        Call call = chunk.call();
        long firstIndex = chunk.firstIndex() + answer.firstItem();
        chunk.answer(answer.count());
        chunk.function().measured(answer.busyNs(), answer.count());
        if (chunk.isDone()) {
            release(worker, chunk);
        }
        if (!call.isEnded()) {
            itemsAnswered += answer.count();
            call.answered(answer.count());
            call.sink().onResults(firstIndex, answer.count(), results);
            endIfComplete(call);
        }
    }

    /** A worker has given up the rest of a cancelled chunk. */
    public void onDropped(int id, long chunkId, int attempt) {
        WorkerSlot worker = workers.get(id);
        Chunk chunk = worker == null ? null : ledger.find(worker, chunkId, attempt);
        if (worker != null && chunk != null && chunk.isCancelled()) {
            release(worker, chunk);
        }
    }

    /** No call is taken any more; the pool ends when those it has are answered. */
    public void onShutdown() {
        if (state == PoolState.RUNNING) {
            state = PoolState.DRAINING;
        }
    }

    /** Every call ends now, and every worker. */
    public void onTerminate() {
        if (isActive()) {
            state = PoolState.TERMINATING;
            breakCalls(new PoolTerminatedException(name));
            killAll();
        }
    }

    /** The pool cannot go on. */
    public void fail(FiberException fault) {
        if (isActive()) {
            cause = Optional.of(fault);
            state = PoolState.TERMINATING;
            breakCalls(fault);
            killAll();
        }
    }

    /**
     * Does what has become possible: starts workers, hands out chunks, ends.
     *
     * @return how many chunks were handed out
     */
    public int onCycleEnd(long nowNs) {
        if (state == PoolState.TERMINATED) {
            return 0;
        }
        if (wanted && (state == PoolState.RUNNING || (state == PoolState.DRAINING && !open.isEmpty()))) {
            startMissing(nowNs);
        }
        int handed = isActive() ? handOutAgain() + handOut() : 0;
        if (state == PoolState.DRAINING && open.isEmpty()) {
            drainAll();
        }
        if (state != PoolState.RUNNING && open.isEmpty() && workers.isEmpty()) {
            state = PoolState.TERMINATED;
            effects.terminated(cause);
        }
        return handed;
    }

    private boolean isActive() {
        return state == PoolState.RUNNING || state == PoolState.DRAINING;
    }

    private void startMissing(long nowNs) {
        int missing = limits.workers() - workers.size();
        if (missing > 0 && starts.isAllowed(nowNs)) {
            int first = nextWorker;
            nextWorker += missing;
            for (int i = 0; i < missing; i++) {
                workers.put(first + i, new WorkerSlot(first + i));
            }
            effects.startWorkers(first, missing);
        }
    }

    /** What was lost runs again on a worker that has nothing else; at most half of the workers are kept for them. */
    private int handOutAgain() {
        int handed = 0;
        int most = Math.max(1, limits.workers() / 2);
        while (!ledger.again().isEmpty() && alone < most) {
            WorkerSlot worker = free.pollIdle();
            if (worker == null) {
                reserve(Math.min(ledger.again().size(), most - alone) - reserved);
                break;
            }
            Chunk chunk = ledger.again().element();
            if (!send(worker, chunk)) {
                giveBack(worker);
                break;
            }
            ledger.again().remove();
            alone++;
            handed++;
        }
        return handed;
    }

    private void reserve(int count) {
        for (int i = 0; i < count; i++) {
            WorkerSlot worker = free.poll();
            if (worker == null) {
                return;
            }
            worker.reserved = true;
            reserved++;
        }
    }

    private int handOut() {
        int handed = 0;
        while (true) {
            WorkerSlot worker = free.poll();
            if (worker == null) {
                return handed;
            }
            Chunk chunk = nextChunk(worker);
            if (chunk == null) {
                free.add(worker);
                return handed;
            }
            if (!send(worker, chunk)) {
                refused = chunk;
                giveBack(worker);
                return handed;
            }
            handed++;
            giveBack(worker);
        }
    }

    private void giveBack(WorkerSlot worker) {
        if (canTakeMore(worker)) {
            free.add(worker);
        }
    }

    private @Nullable Chunk nextChunk(WorkerSlot worker) {
        if (refused != null) {
            Chunk chunk = refused;
            refused = null;
            return chunk;
        }
        for (int left = turns.size(); left > 0; left--) {
            Call call = turns.remove();
            if (call.isEnded() || call.source().isExhausted()) {
                continue;
            }
            turns.add(call);
            if (call.sink().hasRoom()) {
                int items = planner.items(call, limits.workers());
                if (call.source() instanceof BlockSource blocks) {
                    blocks.suggest(items);
                }
                Chunk chunk = call.source().next(call, Math.min(items, itemsLeft(worker)));
                if (chunk != null) {
                    call.taken(chunk.count());
                    return chunk;
                }
            }
        }
        return null;
    }

    private int itemsLeft(WorkerSlot worker) {
        return limits.maxTasksPerChild().isPresent()
                ? limits.maxTasksPerChild().getAsInt() - worker.itemsGiven
                : Integer.MAX_VALUE;
    }

    private boolean send(WorkerSlot worker, Chunk chunk) {
        if (chunk.count() > itemsLeft(worker) && worker.itemsGiven > 0) {
            retire(worker);
            return false;
        }
        chunk.assign(ledger.nextId(), worker.worker, planner.expectedNs(chunk));
        if (!effects.assign(worker.worker, chunk)) {
            return false;
        }
        ledger.assign(worker, chunk);
        if (itemsLeft(worker) <= 0) {
            retire(worker);
        }
        return true;
    }

    private boolean canTakeMore(WorkerSlot worker) {
        return worker.state == WorkerSlot.State.READY
                && !worker.reserved
                && !worker.isAlone()
                && planner.hasRoom(worker);
    }

    private void release(WorkerSlot worker, Chunk chunk) {
        boolean wasAlone = worker.isAlone();
        ledger.release(worker, chunk);
        if (wasAlone) {
            alone--;
        }
        if (worker.isIdle() && worker.reserved) {
            worker.reserved = false;
            reserved--;
        }
        if (worker.isIdle()) {
            free.remove(worker);
        }
        giveBack(worker);
    }

    private void retire(WorkerSlot worker) {
        if (worker.state == WorkerSlot.State.READY) {
            worker.state = WorkerSlot.State.DRAINING;
            ready--;
            free.remove(worker);
            effects.drain(worker.worker);
        }
    }

    private void drainAll() {
        for (WorkerSlot worker : workers.values()) {
            if (worker.state == WorkerSlot.State.STARTING) {
                worker.state = WorkerSlot.State.DRAINING;
                effects.kill(worker.worker);
            } else {
                retire(worker);
            }
        }
    }

    private void killAll() {
        for (WorkerSlot worker : workers.values()) {
            effects.kill(worker.worker);
        }
    }

    private @Nullable WorkerSlot remove(int id) {
        WorkerSlot worker = workers.remove(id);
        if (worker != null) {
            if (worker.state == WorkerSlot.State.READY) {
                ready--;
            }
            if (worker.isAlone()) {
                alone--;
            }
            if (worker.reserved) {
                reserved--;
            }
            free.remove(worker);
        }
        return worker;
    }

    private void endIfComplete(Call call) {
        if (!call.isEnded() && call.isComplete()) {
            call.end();
            open.remove(call);
            call.sink().onEnd(call.items());
        }
    }

    private void breakCalls(FiberException fault) {
        refused = null;
        ledger.again().clear();
        turns.clear();
        for (Call call : open) {
            call.end();
            call.sink().onBroken(fault);
        }
        open.clear();
    }
}
