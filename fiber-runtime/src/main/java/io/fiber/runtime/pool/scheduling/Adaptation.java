// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool.scheduling;

import io.fiber.PoolActivity.State;

/**
 * How many workers a pool should have that follows its queue: more when the work that waits would keep those it has busy
 * for a while, fewer when some have had nothing to do for long. Plain state; the time comes in.
 */
final class Adaptation {

    /**
     * A worker is worth starting for this much work of each of its threads: starting one takes about as long. The number
     * of waiting items would not tell: a thousand quick ones need no further worker, three slow ones do.
     */
    static final double WORTH_NS = 200_000_000;

    /** A tenth of {@link #WORTH_NS}: a look delays a start by little. */
    private static final long LOOK_NS = 20_000_000;

    private final int least;
    private final int greatest;
    private final long idleNs;
    private long lookedNs;
    private boolean looked;
    private boolean waits;
    private long waitsSinceNs;
    /** How long what waits is expected to take, as far as its functions were measured. */
    private double measuredNs;
    /** Of how many items that wait nothing is known. */
    private double unmeasuredItems;

    Adaptation(int least, int greatest, long idleNs) {
        this.least = least;
        this.greatest = greatest;
        this.idleNs = idleNs;
    }

    int within(int workers) {
        return Math.max(least, Math.min(greatest, workers));
    }

    boolean isDue(long nowNs) {
        return !looked || nowNs - lookedNs >= LOOK_NS;
    }

    /** Changes what the registry wants by what waits. */
    void look(WorkerRegistry registry, Dispatcher dispatcher, long nowNs) {
        looked = true;
        lookedNs = nowNs;
        measuredNs = 0;
        unmeasuredItems = 0;
        dispatcher.addUp(this);
        int idle = countIdle(registry, nowNs);
        if (measuredNs == 0 && unmeasuredItems == 0) {
            waits = false;
            registry.wanted = Math.max(least, Math.min(registry.wanted, registry.staying()) - idle);
            return;
        }
        if (!waits) {
            waits = true;
            waitsSinceNs = nowNs;
        }
        boolean isLong = nowNs - waitsSinceNs >= (long) WORTH_NS;
        double work = measuredNs + (isLong ? unmeasuredItems * WORTH_NS : 0);
        int worth = (int) Math.min(greatest, Math.ceil((busyThreads(registry) + work / WORTH_NS) / registry.threads));
        registry.wanted = Math.max(Math.max(registry.wanted, Math.max(1, least)), worth);
    }

    /** Adds items of a call to what waits. */
    void add(Call call, long items) {
        if (call.function.isMeasured()) {
            measuredNs += call.function.taskNs() * items;
        } else {
            unmeasuredItems += items;
        }
    }

    /** Tells whether what waits is as much as can ever be wanted of workers with so many threads. */
    boolean isEnough(int threads) {
        return measuredNs >= greatest * WORTH_NS * threads;
    }

    private static int busyThreads(WorkerRegistry registry) {
        int busy = 0;
        for (WorkerSlot worker : registry.all()) {
            busy += worker.state == State.READY ? worker.busyThreads() : 0;
        }
        return busy;
    }

    private int countIdle(WorkerRegistry registry, long nowNs) {
        int idle = 0;
        for (WorkerSlot worker : registry.all()) {
            if (worker.state != State.READY || !worker.isIdle()) {
                worker.idle = false;
            } else if (!worker.idle) {
                worker.idle = true;
                worker.idleSinceNs = nowNs;
            } else if (nowNs - worker.idleSinceNs >= idleNs) {
                idle++;
            }
        }
        return idle;
    }
}
