// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool.scheduling;

import io.fiber.FiberException;
import io.fiber.PoolActivity;
import io.fiber.PoolActivity.State;
import io.fiber.PoolClosedException;
import io.fiber.PoolState;
import io.fiber.PoolStatistics;
import io.fiber.WorkersMissingException;
import io.fiber.runtime.logging.Faults;
import io.fiber.runtime.process.WorkerTitle;
import io.fiber.runtime.protocol.SealedPayload;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The state of a pool. Events and the time come in, effects go out to {@link PoolEffects}; there is no thread, clock or
 * socket in here, so that a test can drive it through any order of events.
 *
 * <pre>
 * RUNNING ─shutdown─► DRAINING ─every call answered, every worker gone─► TERMINATED
 *         ─terminate | too many failed starts, none is up─► TERMINATING ─every worker gone─► TERMINATED(cause)
 * </pre>
 *
 * Belongs to the conductor.
 */
public final class PoolMachine {

    /** A call whose items may be begun once only is not ended by one loss, which may be chance. */
    private static final int LEAST_FUNCTION_LOSSES = 3;

    private final String name;
    private final PoolEffects effects;
    final TaskLedger ledger;
    final Dispatcher dispatcher;
    final WorkerRegistry registry;
    final Retries retries = new Retries();
    private long itemsAnswered;
    private long itemsFailed;
    private long workersLost;
    private long lateAnswers;
    private PoolState state = PoolState.RUNNING;
    /** Makes what each caller is thrown, who finds a line of his own in it. */
    private Optional<Supplier<FiberException>> cause = Optional.empty();

    private boolean wanted;
    /** The program is about to end: nothing is handed out any more. */
    private boolean held;
    /** Every call that has not ended. */
    private final Set<Call> open = new LinkedHashSet<>();

    /** Creates a pool without workers; they are started when the first call comes. */
    public PoolMachine(String name, PoolLimits limits, PoolEffects effects) {
        this.name = name;
        this.effects = effects;
        this.ledger = new TaskLedger(effects, limits.threads(), this::giveUp);
        this.registry = new WorkerRegistry(name, limits, effects);
        this.dispatcher = new Dispatcher(limits, effects, ledger, registry);
    }

    public PoolState state() {
        return state;
    }

    /** Returns how many workers there should be. */
    public int wantedWorkers() {
        return registry.wanted;
    }

    /** Returns how many workers were requested and are not gone. */
    public int workers() {
        return registry.size();
    }

    /** Returns how many workers have come up and are not gone. */
    public int workersUp() {
        return registry.up;
    }

    /** Returns why no missing worker is started while others are up, when it is so. */
    public Optional<WorkersMissingException> shortage() {
        return registry.shortage();
    }

    /** Tells whether as many workers as there should be have come up; some may only finish what they have. */
    public boolean areAllUp() {
        return registry.up >= registry.wanted;
    }

    /** Returns why it ended, when it was by a fault: a new exception each time. Any thread may call it. */
    public Optional<FiberException> cause() {
        return cause.map(Supplier::get);
    }

    /** Tells whether a worker owes an answer or its start. */
    public boolean isAnswerExpected() {
        return !ledger.isIdle() || registry.ready < registry.size();
    }

    /** Tells whether time alone may change something: there is work, or the workers are not what they should be. */
    public boolean isTimed() {
        if (state != PoolState.RUNNING) {
            return state != PoolState.TERMINATED;
        }
        boolean isComplete = !wanted || (registry.size() == registry.wanted && registry.ready == registry.size());
        return !isComplete || !open.isEmpty() || isAnswerExpected() || retries.waiting() > 0;
    }

    public PoolStatistics statistics() {
        return new PoolCounts(
                itemsAnswered, itemsFailed, retries.total(), ledger.rerun, registry.started, workersLost, lateAnswers);
    }

    public PoolActivity activity() {
        return ActivitySnapshot.at(registry, open, effects);
    }

    /** Returns what it waits for before it can end, for a person. */
    public String openCalls() {
        return ActivitySnapshot.atCalls(open);
    }

    /** Starts the workers, if that has not been done. */
    public void onStart() {
        wanted = true;
    }

    /** Hands out nothing from now on, and takes back what workers have not begun. */
    public void onHold() {
        held = true;
    }

    /** Tells whether no worker has anything to run or to report. */
    public boolean isQuiet() {
        return ledger.isIdle();
    }

    /** There shall be this many workers from now on; those that are too many hand back what they have not begun. */
    public void onResize(int workers) {
        registry.keep(workers);
    }

    /** The platform will end a worker soon: what it has not begun goes elsewhere, and it ends when the rest is done. */
    public void onLeaving(int number) {
        WorkerSlot worker = registry.find(number);
        if (worker != null) {
            sendHome(worker);
        }
    }

    /** The number of workers follows the queue from now on. */
    public void onAdapt(int least, int greatest, long idleNs) {
        registry.follow(new Adaptation(least, greatest, idleNs));
    }

    /** Takes a call; it is refused at once when the pool takes none any more. */
    public void onCall(Call call) {
        if (state != PoolState.RUNNING) {
            call.end();
            call.sink.onBroken(cause().orElseGet(() -> new PoolClosedException(name, state)));
            return;
        }
        wanted |= call.source.needsWorkers();
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
        if (!call.isEnded()) {
            drop(call);
        }
    }

    private void drop(Call call) {
        end(call);
        call.held().forEach(chunk -> {
            chunk.cancelled = true;
            effects.cancel(chunk.slot().worker.number, chunk);
        });
    }

    /** A worker has connected and run its initializer. */
    public void onWorkerReady(int number, long nowNs) {
        WorkerSlot worker = registry.ready(number, nowNs);
        if (worker != null) {
            dispatcher.ready(worker);
        }
    }

    /** A worker has ended, or did not start. What it had runs elsewhere; a drained one has ended as it should. */
    public void onWorkerEnded(int number, Loss loss, long nowNs) {
        WorkerSlot worker = registry.remove(number);
        if (worker == null) {
            return;
        }
        dispatcher.gone(worker);
        if (worker.state == State.READY || !worker.isIdle()) {
            workersLost += isActive() ? 1 : 0;
            long againBefore = ledger.itemsAgain;
            long failedBefore = itemsFailed;
            ledger.lose(worker, loss);
            if (isActive()) {
                effects.lost(loss, ledger.itemsAgain - againBefore, itemsFailed - failedBefore, nowNs);
            }
            endThoseOfLethalFunctions(loss);
        }
        if (isActive() && registry.ended(worker, loss, nowNs)) {
            int failures = registry.starts.failures;
            fail(() -> loss.broken(name, failures));
        }
    }

    /** A function that ends the workers that deserialize it ends its call: no other item of it would fare better. */
    private void endThoseOfLethalFunctions(Loss loss) {
        for (Call call : List.copyOf(open)) {
            if (call.functionLosses() >= Math.max(LEAST_FUNCTION_LOSSES, call.limits.maxAttempts())) {
                call.sink.onBroken(loss.inFunction(call.title(), call.functionLosses()));
                drop(call);
            }
        }
    }

    private void giveUp(Call call, long index, int times, Loss loss) {
        giveUp(call, index, new Answer.Lost(index, times, loss));
    }

    private void giveUp(Call call, long index, Answer.Refused why) {
        itemsFailed++;
        call.answered(1, 1);
        call.settle(index, why);
        endIfComplete(call);
    }

    /** A worker has given back what it had not begun of a chunk; it keeps the first {@code kept} items. */
    public void onShortened(int number, long chunkId, int attempt, int kept) {
        Chunk chunk = ledger.find(number, chunkId, attempt);
        if (chunk == null) {
            return;
        }
        if (kept < chunk.answered || kept > chunk.count() || !chunk.recalled) {
            effects.kill(number);
            return;
        }
        dispatcher.shortened(chunk, kept);
    }

    /**
     * An item that a worker runs was interrupted, because it is over its deadline or was cancelled, and does not end. Its
     * worker is ended; whatever else it had runs elsewhere.
     */
    public void onStuck(int number, long chunkId, int attempt) {
        Chunk chunk = ledger.find(number, chunkId, attempt);
        if (chunk == null) {
            return;
        }
        WorkerSlot worker = chunk.slot().worker;
        registry.dismiss(worker);
        dispatcher.gone(worker);
        WorkerTitle title = effects.title(number);
        ledger.condemn(chunk, Loss.besideStuck(title));
        effects.kill(number);
        if (!chunk.cancelled && !chunk.call.isEnded()) {
            long index = chunk.firstIndex() + chunk.answered;
            giveUp(chunk.call, index, new Answer.Overdue(index, title.toString()));
        }
    }

    /** An item of an announced chunk is about to run, and does so when it counts as begun. */
    public void onBegun(int number, long chunkId, int attempt, int item) {
        Chunk chunk = ledger.find(number, chunkId, attempt);
        if (chunk != null && !chunk.cancelled) {
            chunk.begun(item);
            effects.grant(number, chunk, item);
        }
    }

    /** Results have arrived. A worker whose results cannot be those of its chunk is ended: what it has runs elsewhere. */
    public void onResult(int number, ResultHeader answer, SealedPayload results, long nowNs) {
        Chunk chunk = ledger.find(number, answer.chunk(), answer.attempt());
        if (chunk == null) {
            lateAnswers++;
            return;
        }
        if (!chunk.isNext(answer)) {
            effects.kill(number);
            return;
        }
        chunk.slot().heard(chunk, answer.busyNs(), nowNs);
        chunk.answer(answer);
        chunk.call.heard();
        chunk.function().measured(answer.busyNs(), answer.count());
        if (chunk.isDone()) {
            dispatcher.release(chunk);
        }
        registry.starts.served();
        Call call = chunk.call;
        Answer.Block block = block(chunk, answer, results);
        if (!call.isEnded() && !isTakenAgain(chunk, answer, block, nowNs)) {
            itemsAnswered += answer.count() - answer.failed();
            itemsFailed += answer.failed();
            call.answered(answer.count(), answer.failed());
            call.settle(block.firstIndex(), block);
            endIfComplete(call);
        }
    }

    private Answer.Block block(Chunk chunk, ResultHeader answer, SealedPayload results) {
        long firstIndex = chunk.firstIndex() + answer.firstItem();
        if (answer.failed() == 0) {
            return new Answer.Block(firstIndex, answer.count(), results);
        }
        String worker = effects.title(chunk.slot().worker.number).toString();
        return new Answer.Block(firstIndex, answer.count(), results, Optional.of(worker));
    }

    private boolean isTakenAgain(Chunk chunk, ResultHeader answer, Answer.Block failure, long nowNs) {
        return answer.mayBeRetried()
                && retries.take(chunk.unsentPart(answer.firstItem(), 1), failure, answer.busyNs(), nowNs);
    }

    /** A worker has given up the rest of a cancelled chunk. */
    public void onDropped(int number, long chunkId, int attempt) {
        Chunk chunk = ledger.find(number, chunkId, attempt);
        if (chunk != null && chunk.cancelled) {
            dispatcher.release(chunk);
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
            stop(() -> new PoolTerminatedException(name));
        }
    }

    /** The pool cannot go on. Called again after an OutOfMemoryError, it goes on with what it has not done. */
    public void fail(Supplier<FiberException> fault) {
        if (isActive()) {
            cause = Optional.of(fault);
            stop(fault);
        } else {
            breakCalls(cause.orElse(fault));
        }
    }

    private void stop(Supplier<FiberException> why) {
        state = PoolState.TERMINATING;
        dispatcher.clear();
        retries.clear();
        breakCalls(why);
        registry.killAll();
    }

    private void breakCalls(Supplier<FiberException> why) {
        Faults.tellEach(open.iterator(), call -> {
            call.end();
            call.sink.onBroken(why.get());
        });
    }

    /** Does what has become possible: starts workers, hands out chunks, ends. Returns how many chunks were handed out. */
    public int onCycleEnd(long nowNs) {
        if (state == PoolState.TERMINATED) {
            return 0;
        }
        wanted = wanted || needsWorkers();
        if (held) {
            registry.all().forEach(dispatcher::recallAll);
        }
        if (wanted && !held && (state == PoolState.RUNNING || (state == PoolState.DRAINING && !open.isEmpty()))) {
            registry.adapt(dispatcher, nowNs);
            registry.startMissing(nowNs);
            registry.eachSurplus(this::sendHome);
        }
        retries.release(nowNs, ledger::takeBack);
        int handed = isActive() && !held ? dispatcher.handOut(nowNs) : 0;
        if (state == PoolState.DRAINING && open.isEmpty()) {
            registry.all().forEach(this::leave);
        }
        if (state != PoolState.RUNNING && open.isEmpty() && registry.size() == 0) {
            state = PoolState.TERMINATED;
            effects.terminated(cause());
        }
        return handed;
    }

    private boolean needsWorkers() {
        for (Call call : open) {
            if (call.source.needsWorkers()) {
                return true;
            }
        }
        return false;
    }

    private boolean isActive() {
        return state == PoolState.RUNNING || state == PoolState.DRAINING;
    }

    private void sendHome(WorkerSlot worker) {
        dispatcher.recallAll(worker);
        leave(worker);
    }

    private void leave(WorkerSlot worker) {
        if (worker.state == State.STARTING) {
            registry.dismiss(worker);
            effects.kill(worker.number);
        } else {
            dispatcher.retire(worker);
        }
    }

    private void endIfComplete(Call call) {
        if (!call.isEnded() && call.isComplete()) {
            call.sink.onEnd(call.items());
            end(call);
        }
    }

    private void end(Call call) {
        call.end();
        open.remove(call);
        dispatcher.ended(call);
        retries.ended(call);
    }
}
