// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool.scheduling;

/**
 * When the next worker may be started: at once, after failed starts with a back-off that doubles, or not at all, when the
 * initializer has ended too many in a row. Plain state; the time comes in.
 */
final class WorkerStarts {

    private final PoolLimits limits;
    /** How many starts have failed in a row. */
    int failures;
    /** How many of those were ends of workers that ran the initializer. */
    int failedInitializers;

    private long backoffNs;
    private long notBeforeNs;
    private boolean delayed;
    /** Whether a worker has answered since a start failed. */
    private boolean served;

    WorkerStarts(PoolLimits limits) {
        this.limits = limits;
        this.backoffNs = limits.firstBackoffNs();
    }

    /** Returns how starts stood before this one. */
    Standing succeeded() {
        Standing before = served ? Standing.NONE : new Standing(failures, backoffNs);
        beginRow();
        backoffNs = limits.firstBackoffNs();
        delayed = false;
        return before;
    }

    /** A worker has answered: what failed before it counts no more for those that end idle. */
    void served() {
        served = true;
    }

    /** Takes a success back that turned out to be none; returns true when that was one failure too many. */
    boolean relapsed(Standing before, long nowNs) {
        if (!served) {
            failures = Math.max(failures, before.failures());
            backoffNs = Math.max(backoffNs, before.backoffNs());
        }
        return failed(nowNs);
    }

    /** Returns true when that was one failure too many. */
    boolean failed(long nowNs) {
        failures++;
        served = false;
        delay(nowNs);
        return failures >= limits.maxFailedStarts();
    }

    /** A worker was lost that ran the initializer; its start has failed. Returns true when those were too many. */
    boolean initializerFailed() {
        failedInitializers++;
        return isAbandoned();
    }

    /** Tells whether no worker is started beside those that are up, because the initializer has ended too many in a row. */
    boolean isAbandoned() {
        return failedInitializers >= limits.maxFailedStarts();
    }

    /** What has failed counts no more; the wait for the next start stays. */
    void beginRow() {
        failures = 0;
        failedInitializers = 0;
    }

    /** The program asks for workers anew: the initializer may be run again. */
    void tryInitializerAgain() {
        failedInitializers = 0;
    }

    /** Tells whether the wait after failed starts is over. */
    boolean isDue(long nowNs) {
        return !delayed || nowNs - notBeforeNs >= 0;
    }

    /**
     * Has the next start wait, after a failure or when the cluster does not answer. Workers are started together and
     * fail together: that is one failure to wait after.
     */
    void delay(long nowNs) {
        if (!isDue(nowNs)) {
            return;
        }
        notBeforeNs = nowNs + backoffNs;
        delayed = true;
        backoffNs = Math.min(backoffNs * 2, limits.greatestBackoffNs());
    }

    /**
     * How starts stood at one moment.
     *
     * @param failures how many had failed in a row
     * @param backoffNs how long to wait after the next failure; 0 says nothing
     */
    record Standing(int failures, long backoffNs) {
        static final Standing NONE = new Standing(0, 0);
    }
}
