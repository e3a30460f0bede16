// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool.scheduling;

import io.fiber.PoolActivity.State;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Hands out chunks: which task thread is next, and which call is next. Each call has its turn; a chunk that must run alone
 * goes to a worker that has nothing else. Belongs to the conductor.
 */
final class Dispatcher {

    private final PoolLimits limits;
    private final PoolEffects effects;
    private final WorkerRegistry registry;
    private final TaskLedger ledger;
    private final ChunkPlanner planner = new ChunkPlanner();
    final WorkerQueue free = new WorkerQueue();
    /** Threads that have refused a chunk in this cycle. */
    private final LinkedQueue<TaskSlot> full = new LinkedQueue<>();
    /** Calls that may have items to hand out, each in turn. */
    final LinkedQueue<Call> turns = new LinkedQueue<>();
    /** Those of them that had none in this cycle. */
    private final LinkedQueue<Call> empty = new LinkedQueue<>();

    private final TailBalancer balancer;
    /** How many workers run a chunk alone. */
    int alone;
    /** How many workers are kept free for one. */
    int reserved;

    private long nowNs;

    Dispatcher(PoolLimits limits, PoolEffects effects, TaskLedger ledger, WorkerRegistry registry) {
        this.limits = limits;
        this.effects = effects;
        this.ledger = ledger;
        this.registry = registry;
        this.balancer = new TailBalancer(effects);
    }

    void opened(Call call) {
        turns.add(call);
    }

    void ended(Call call) {
        call.leaveQueue();
        if (!ledger.unsent.isEmpty()) {
            ledger.unsent.removeIf(chunk -> chunk.call == call);
        }
    }

    void ready(WorkerSlot worker) {
        worker.slots.forEach(free::add);
    }

    /** A worker is given no more chunks, and ends when it has done those that it has. */
    void retire(WorkerSlot worker) {
        if (registry.dismiss(worker)) {
            worker.leaveQueue();
            effects.drain(worker.number);
        }
    }

    void gone(WorkerSlot worker) {
        worker.leaveQueue();
        if (worker.isAlone()) {
            alone--;
        }
        unreserve(worker);
    }

    void release(Chunk chunk) {
        TaskSlot slot = chunk.slot();
        WorkerSlot worker = slot.worker;
        if (worker.isAlone()) {
            alone--;
        }
        ledger.release(chunk);
        if (slot.isIdle()) {
            slot.leaveQueue();
        }
        if (worker.isIdle()) {
            unreserve(worker);
            worker.slots.forEach(this::giveBack);
        } else {
            giveBack(slot);
        }
    }

    /** Its worker gives back what it has not begun of a chunk, of which it keeps {@code kept} items. */
    void shortened(Chunk chunk, int kept) {
        chunk.recallAnswered();
        int returned = chunk.count() - kept;
        if (returned > 0) {
            if (!chunk.cancelled && !chunk.call.isEnded()) {
                ledger.takeBack(chunk.unsentPart(kept, returned));
            }
            chunk.slot().shortened(returned, chunk.shorten(kept));
        }
        if (chunk.isDone()) {
            release(chunk);
        }
    }

    /** Asks a worker that will go for everything that it has not begun. */
    void recallAll(WorkerSlot worker) {
        balancer.recallAll(worker, nowNs);
    }

    /** Adds up what waits, until that is enough. */
    void addUp(Adaptation sum) {
        ledger.unsent.forEach(chunk -> sum.add(chunk.call, chunk.count()));
        ledger.again.forEach(chunk -> sum.add(chunk.call, chunk.count()));
        turns.forEach(call -> {
            if (!sum.isEnough(registry.threads) && call.sink.hasRoom()) {
                sum.add(call, call.source.known());
            }
        });
    }

    /** Returns how many task threads there should be, and 1 when there should be none. */
    private int threads() {
        return Math.max(1, registry.wanted) * registry.threads;
    }

    void clear() {
        ledger.unsent.clear();
        ledger.again.clear();
        turns.clear();
    }

    /** Hands out what can be; returns how many chunks that were. */
    int handOut(long cycleNs) {
        nowNs = cycleNs;
        int handed = handOutAgain() + handOutNew();
        int idle = free.idle();
        if (idle > 0 && !ledger.isIdle()) {
            balancer.balance(registry.all(), idle, nowNs);
        }
        for (TaskSlot slot = full.poll(); slot != null; slot = full.poll()) {
            giveBack(slot);
        }
        turns.addAll(empty);
        return handed;
    }

    /** What must run alone goes to a worker that has nothing else; at most half of the workers are kept for that. */
    private int handOutAgain() {
        int handed = 0;
        int most = Math.max(1, registry.wanted / 2);
        while (ledger.hasAgain() && alone < most) {
            WorkerSlot worker = free.pollIdleWorker();
            if (worker == null) {
                reserve(Math.min(ledger.again.size(), most - alone) - reserved);
                break;
            }
            Chunk chunk = fitting(itemsLeft(worker), ledger.again.remove(), ledger.again);
            if (send(worker.slots.get(0), chunk)) {
                alone++;
                handed++;
            } else {
                ledger.again.addFirst(chunk);
                worker.slots.forEach(full::add);
            }
        }
        return handed;
    }

    private void reserve(int count) {
        for (int i = 0; i < count; i++) {
            TaskSlot slot = free.poll();
            if (slot == null) {
                return;
            }
            slot.worker.leaveQueue();
            slot.worker.reserved = true;
            reserved++;
        }
    }

    private void unreserve(WorkerSlot worker) {
        if (worker.reserved) {
            worker.reserved = false;
            reserved--;
        }
    }

    /** A worker whose way is full is passed over until the next cycle: it must not hold up the others. */
    private int handOutNew() {
        int handed = 0;
        for (TaskSlot slot = free.poll(); slot != null; slot = free.poll()) {
            if (slot.isLate(nowNs)) {
                full.add(slot);
                continue;
            }
            int most = itemsLeft(slot.worker);
            Chunk chunk = ledger.unsent.isEmpty() ? nextChunk(slot, most) : nextUnsent(slot, most);
            if (chunk == null) {
                free.add(slot);
                break;
            }
            if (send(slot, chunk)) {
                handed++;
                giveBack(slot);
            } else {
                ledger.unsent.addFirst(chunk);
                full.add(slot);
            }
        }
        return handed;
    }

    private Chunk nextUnsent(TaskSlot slot, int atMost) {
        ArrayDeque<Chunk> unsent = ledger.unsent;
        Chunk chunk = unsent.remove();
        return fitting(planner.share(chunk, slot, threads()), fitting(atMost, chunk, unsent), unsent);
    }

    /** Returns at most so many items of a chunk; the rest stays in {@code queue}. */
    private static Chunk fitting(int most, Chunk chunk, ArrayDeque<Chunk> queue) {
        if (chunk.count() <= most) {
            return chunk;
        }
        queue.addFirst(chunk.unsentPart(most, chunk.count() - most));
        return chunk.unsentPart(0, most);
    }

    private @Nullable Chunk nextChunk(TaskSlot slot, int atMost) {
        for (Call call = turns.poll(); call != null; call = turns.poll()) {
            if (call.source.isExhausted()) {
                continue;
            }
            Chunk chunk = call.sink.hasRoom() ? next(call, slot, atMost) : null;
            if (chunk != null) {
                turns.add(call);
                return chunk;
            }
            empty.add(call);
        }
        return null;
    }

    private @Nullable Chunk next(Call call, TaskSlot slot, int atMost) {
        if (call.tries().size() >= Retries.GREATEST_COUNT_OF_CALL || planner.isTriedByEnough(call, nowNs)) {
            return null;
        }
        if (call.isDoubted() && (!call.held().isEmpty() || ledger.hasAgain(call))) {
            return null;
        }
        int items = Math.min(
                planner.items(call, slot, threads()), limits.maxTasksPerWorker().orElse(Integer.MAX_VALUE));
        call.function.plan(items);
        call.source.suggest(items);
        Chunk chunk = call.source.next(call, Math.min(items, atMost), nowNs);
        if (chunk != null) {
            call.taken(chunk.count());
            if (chunk.alone) {
                ledger.again.add(chunk);
                return null;
            }
        }
        return chunk;
    }

    private int itemsLeft(WorkerSlot worker) {
        return limits.maxTasksPerWorker().isPresent()
                ? limits.maxTasksPerWorker().getAsInt() - worker.itemsGiven
                : Integer.MAX_VALUE;
    }

    private boolean send(TaskSlot slot, Chunk chunk) {
        WorkerSlot worker = slot.worker;
        chunk.assign(ledger.nextId(), slot, planner.expectedNs(chunk));
        if (!effects.assign(worker.number, chunk)) {
            return false;
        }
        ledger.assign(chunk, nowNs);
        if (itemsLeft(worker) <= 0) {
            retire(worker);
        }
        return true;
    }

    private void giveBack(TaskSlot slot) {
        WorkerSlot worker = slot.worker;
        if (worker.state == State.READY && !worker.reserved && !worker.isAlone() && planner.hasRoom(slot)) {
            free.add(slot);
        }
    }
}
