// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

/**
 * When the next worker may be started: at once, or after failed starts with a back-off that doubles. Plain state; the time
 * comes in.
 */
final class WorkerStarts {

    private final PoolLimits limits;
    private int failures;
    private long backoffNs;
    private long notBeforeNs;
    private boolean delayed;

    WorkerStarts(PoolLimits limits) {
        this.limits = limits;
        this.backoffNs = limits.firstBackoffNs();
    }

    void succeeded() {
        failures = 0;
        backoffNs = limits.firstBackoffNs();
        delayed = false;
    }

    /** Returns true when that was one failure too many. */
    boolean failed(long nowNs) {
        failures++;
        delay(nowNs);
        return failures >= limits.maxFailedStarts();
    }

    /** The cluster does not answer: wait, but count no failure. */
    void postponed(long nowNs) {
        delay(nowNs);
    }

    int failures() {
        return failures;
    }

    boolean isAllowed(long nowNs) {
        return !delayed || nowNs - notBeforeNs >= 0;
    }

    /** Workers are started together and fail together: that is one failure to wait after. */
    private void delay(long nowNs) {
        if (!isAllowed(nowNs)) {
            return;
        }
        notBeforeNs = nowNs + backoffNs;
        delayed = true;
        backoffNs = Math.min(backoffNs * 2, limits.greatestBackoffNs());
    }
}
