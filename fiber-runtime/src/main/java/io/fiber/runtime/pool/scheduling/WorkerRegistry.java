// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool.scheduling;

import io.fiber.PoolActivity.State;
import io.fiber.WorkersMissingException;
import java.util.Comparator;
import java.util.Optional;
import java.util.function.Consumer;
import org.agrona.collections.Int2ObjectHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The registry of a pool's workers: their states, and how many the pool wants. It has missing workers started, and
 * picks those to stop when there are too many. Belongs to the conductor.
 */
final class WorkerRegistry {

    /** A worker that ends without having been given anything, sooner than this after it was ready, has not come up. */
    private static final long PROBATION_NS = 1_000_000_000L;

    /** A worker that has been starting for longer delays no other start: it waits, or its initializer is long. */
    private static final long GREATEST_PACE_NS = 300_000_000;

    private final Int2ObjectHashMap<WorkerSlot> workers = new Int2ObjectHashMap<>();
    private final String pool;
    private final PoolEffects effects;
    final WorkerStarts starts;
    /** How many task threads each worker has. */
    final int threads;

    private final int startsAtOnce;
    private Optional<Adaptation> adaptation = Optional.empty();
    /** How many workers there should be. */
    int wanted;

    int ready;
    /** How many workers have come up and are not gone; some may only finish what they have. */
    int up;

    private int leaving;
    private int nextWorker = 1;
    /** Of the failed starts in a row: those before it were under way already. */
    private int firstInPlaceOfFailed;

    /** How many workers have become ready. */
    long started;

    private long lastStartNs;
    /** The last worker that the initializer has ended, when those were too many. */
    private @Nullable Loss abandoned;

    WorkerRegistry(String pool, PoolLimits limits, PoolEffects effects) {
        this.pool = pool;
        this.effects = effects;
        this.starts = new WorkerStarts(limits);
        this.threads = limits.threads();
        this.startsAtOnce = limits.startsAtOnce();
        this.wanted = limits.workers();
    }

    /** There shall be this many workers, whatever waits, and those that are missing are started also after failures. */
    void keep(int count) {
        starts.tryInitializerAgain();
        adaptation = Optional.empty();
        wanted = count;
    }

    /** The number of workers follows the queue. */
    void follow(Adaptation how) {
        adaptation = Optional.of(how);
        wanted = how.within(wanted);
    }

    /** Looks at what waits, when the number of workers follows that and it is time to. */
    void adapt(Dispatcher dispatcher, long nowNs) {
        if (adaptation.isPresent() && adaptation.get().isDue(nowNs)) {
            adaptation.get().look(this, dispatcher, nowNs);
        }
    }

    int size() {
        return workers.size();
    }

    /** Returns how many workers there are that have not been sent away. */
    int staying() {
        return workers.size() - leaving;
    }

    Iterable<WorkerSlot> all() {
        return workers.values();
    }

    @Nullable
    WorkerSlot find(int number) {
        return workers.get(number);
    }

    /** Notes that a worker is ready; null when it was not starting. */
    @Nullable
    WorkerSlot ready(int number, long nowNs) {
        WorkerSlot worker = workers.get(number);
        if (worker == null || worker.state != State.STARTING) {
            return null;
        }
        worker.state = State.READY;
        worker.isUp = true;
        up++;
        worker.readyNs = nowNs;
        worker.startsBefore = starts.succeeded();
        ready++;
        started++;
        return worker;
    }

    /** Gives a worker no more work. Returns false when that was so before. */
    boolean dismiss(WorkerSlot worker) {
        if (worker.state == State.LEAVING) {
            return false;
        }
        ready -= worker.state == State.READY ? 1 : 0;
        worker.state = State.LEAVING;
        leaving++;
        return true;
    }

    @Nullable
    WorkerSlot remove(int number) {
        WorkerSlot worker = workers.remove(number);
        if (worker != null) {
            up -= worker.isUp ? 1 : 0;
            ready -= worker.state == State.READY ? 1 : 0;
            leaving -= worker.state == State.LEAVING ? 1 : 0;
        }
        return worker;
    }

    /**
     * A worker that was removed has ended. Returns true when the pool ends by that: no other is up, and it was one
     * failed start too many, or one that the platform refuses for good. The start of a worker that was ready for a
     * moment only and was given nothing has failed after all. When it was the last of those that had come up, what
     * failed beside them counts no more.
     */
    boolean ended(WorkerSlot worker, Loss loss, long nowNs) {
        if (worker.state == State.STARTING) {
            return startFailed(loss, nowNs);
        }
        if (worker.state == State.READY && worker.itemsGiven == 0 && nowNs - worker.readyNs < PROBATION_NS) {
            return starts.relapsed(worker.startsBefore, nowNs) && isEnd(loss);
        }
        if (worker.isUp && up == 0) {
            starts.beginRow();
        }
        return false;
    }

    private boolean startFailed(Loss loss, long nowNs) {
        if (loss.isByChance()) {
            starts.delay(nowNs);
            return false;
        }
        if (starts.failures == 0) {
            firstInPlaceOfFailed = nextWorker;
        }
        boolean isOneTooMany = starts.failed(nowNs);
        if (loss.stage() == Loss.Stage.INITIALIZING && starts.initializerFailed() && up > 0) {
            abandoned = loss;
            effects.shortOfWorkers(abandoned(loss), starts.failedInitializers);
            return false;
        }
        if (loss.isRefusal() && up == 0) {
            return isNoneOnItsWay();
        }
        return isOneTooMany && isEnd(loss);
    }

    /** Returns why no missing worker is started while others are up, when it is so. */
    Optional<WorkersMissingException> shortage() {
        return starts.isAbandoned() ? Optional.ofNullable(abandoned).map(this::abandoned) : Optional.empty();
    }

    private WorkersMissingException abandoned(Loss last) {
        return last.abandoned(pool, starts.failedInitializers, up);
    }

    /**
     * Whether the pool ends by too many failed starts. Where others are up, or on their way, it goes on with them: a machine
     * that is lost or broken fails many starts together and is no fault of the program.
     */
    private boolean isEnd(Loss loss) {
        if (up > 0) {
            effects.shortOfWorkers(loss.tolerated(pool, starts.failures, up), starts.failures);
        }
        return up == 0 && isNoneOnItsWay();
    }

    /** Tells whether none is left of those that were started before the first one failed. */
    private boolean isNoneOnItsWay() {
        return workers.values().stream()
                .noneMatch(worker -> worker.state == State.STARTING && worker.number < firstInPlaceOfFailed);
    }

    /** Has missing workers started, unless it is too early after failed starts, or others are starting. */
    void startMissing(long nowNs) {
        int missing = Math.min(wanted - workers.size(), room(nowNs));
        boolean isAllowed = up == 0 || !starts.isAbandoned();
        if (missing > 0 && isAllowed && starts.isDue(nowNs)) {
            lastStartNs = nowNs;
            int first = effects.takeNumbers(missing);
            nextWorker = first + missing;
            for (int i = 0; i < missing; i++) {
                workers.put(first + i, new WorkerSlot(first + i, threads));
            }
            effects.startWorkers(first, missing);
        }
    }

    private int room(long nowNs) {
        int starting = staying() - ready;
        boolean isClear = starting == 0 || nowNs - lastStartNs >= GREATEST_PACE_NS;
        return isClear ? startsAtOnce : startsAtOnce - starting;
    }

    /** Shows the workers that are too many. */
    void eachSurplus(Consumer<WorkerSlot> action) {
        int surplus = staying() - wanted;
        if (surplus > 0) {
            // Copied first: the action changes states.
            workers.values().stream()
                    .filter(worker -> worker.state != State.LEAVING)
                    .sorted(leastNeeded())
                    .limit(surplus)
                    .toList()
                    .forEach(action);
        }
    }

    /** Stopped first: workers that are not up yet, then those with the fewest chunks. */
    private static Comparator<WorkerSlot> leastNeeded() {
        return Comparator.<WorkerSlot>comparingInt(worker -> worker.state == State.STARTING ? 0 : 1)
                .thenComparingInt(WorkerSlot::chunks)
                .thenComparingInt(worker -> -worker.number);
    }

    void killAll() {
        for (WorkerSlot worker : workers.values()) {
            effects.kill(worker.number);
        }
    }
}
