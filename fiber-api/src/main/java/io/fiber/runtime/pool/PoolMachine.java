// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import io.fiber.FiberException;
import io.fiber.PoolBrokenException;
import io.fiber.PoolClosedException;
import io.fiber.PoolState;
import io.fiber.ProcessStartException;
import io.fiber.runtime.wire.Parcel;
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
    private final TaskLedger ledger;
    private final Dispatcher dispatcher;
    private final WorkerStarts starts;
    private final Int2ObjectHashMap<WorkerSlot> workers = new Int2ObjectHashMap<>();
    /** Every call that has not ended. */
    private final Set<Call> open = new LinkedHashSet<>();

    private PoolState state = PoolState.RUNNING;
    private Optional<FiberException> cause = Optional.empty();
    private boolean wanted;
    private int nextWorker = 1;
    private int ready;
    private long itemsAnswered;
    private long itemsLost;
    private long workersLost;
    private long lateAnswers;
    private long workersStarted;

    /** Creates a pool without workers; they are started when the first call comes. */
    public PoolMachine(String name, PoolLimits limits, PoolEffects effects) {
        this.name = name;
        this.limits = limits;
        this.effects = effects;
        this.ledger = new TaskLedger(name);
        this.starts = new WorkerStarts(limits);
        this.dispatcher = new Dispatcher(limits, effects, ledger, this::retire);
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

    /** Tells whether a worker owes an answer or its start. */
    public boolean isAnswerExpected() {
        return !ledger.isIdle() || ready < workers.size();
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
        return lateAnswers;
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
        open.add(call);
        dispatcher.opened(call);
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
        end(call);
        call.held().forEach(chunk -> {
            chunk.cancel();
            effects.cancel(chunk.holder(), chunk);
        });
    }

    /** A worker has shaken hands and run its initializer. */
    public void onWorkerReady(int id) {
        WorkerSlot worker = workers.get(id);
        if (worker != null && worker.state == WorkerSlot.State.STARTING) {
            worker.state = WorkerSlot.State.READY;
            ready++;
            workersStarted++;
            starts.succeeded();
            dispatcher.ready(worker);
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
        if (worker == null || (worker.isIdle() && worker.state == WorkerSlot.State.DRAINING)) {
            return;
        }
        if (isActive()) {
            workersLost++;
        }
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

    /** Results have arrived. A worker whose results cannot be those of its chunk is ended: what it has runs elsewhere. */
    public void onResult(int id, Answer answer, Parcel results) {
        WorkerSlot worker = workers.get(id);
        Chunk chunk = worker == null ? null : ledger.find(worker, answer.chunk(), answer.attempt());
        if (worker == null || chunk == null) {
            lateAnswers++;
            return;
        }
        if (answer.firstItem() != chunk.answered()
                || answer.count() <= 0
                || answer.count() > chunk.count() - chunk.answered()) {
            effects.kill(worker.worker);
            return;
        }
        Call call = chunk.call();
        long firstIndex = chunk.firstIndex() + answer.firstItem();
        chunk.answer(answer.count());
        chunk.function().measured(answer.busyNs(), answer.count());
        if (chunk.isDone()) {
            dispatcher.release(worker, chunk);
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
            dispatcher.release(worker, chunk);
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
        int handed = isActive() ? dispatcher.handOut() : 0;
        if (state == PoolState.DRAINING && open.isEmpty()) {
            drainAll();
        }
        if (state != PoolState.RUNNING && open.isEmpty() && workers.isEmpty()) {
            state = PoolState.TERMINATED;
            effects.terminated(cause);
        }
        return handed;
    }

    Dispatcher dispatcher() {
        return dispatcher;
    }

    TaskLedger ledger() {
        return ledger;
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

    private void retire(WorkerSlot worker) {
        if (worker.state == WorkerSlot.State.READY) {
            worker.state = WorkerSlot.State.DRAINING;
            ready--;
            dispatcher.withdrawn(worker);
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
            dispatcher.gone(worker);
        }
        return worker;
    }

    private void endIfComplete(Call call) {
        if (!call.isEnded() && call.isComplete()) {
            end(call);
            call.sink().onEnd(call.items());
        }
    }

    private void end(Call call) {
        call.end();
        open.remove(call);
        dispatcher.ended(call);
    }

    private void breakCalls(FiberException fault) {
        dispatcher.clear();
        for (Call call : open) {
            call.end();
            call.sink().onBroken(fault);
        }
        open.clear();
    }
}
