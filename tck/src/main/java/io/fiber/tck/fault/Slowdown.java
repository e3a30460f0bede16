// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.fault;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Lets a process run for only a part of each period, as on a machine with too few processors. For the rest of the
 * period, a thread of this object stops it. Thread-safe.
 */
public final class Slowdown implements AutoCloseable {

    private final long pid;
    private final Duration runs;
    private final Duration stands;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread;

    private Slowdown(long pid, Duration runs, Duration stands) {
        this.pid = pid;
        this.runs = runs;
        this.stands = stands;
        this.thread = new Thread(this::run, "fault-slowdown-" + pid);
        thread.setDaemon(true);
    }

    /**
     * Slows a process down.
     *
     * @param pid the process
     * @param period how long a stop and a run take together; greater than zero
     * @param stoppedPercent the part of the period in which it is stopped, 1 to 99
     * @throws IllegalArgumentException if one of them is out of range
     */
    public static Slowdown of(long pid, Duration period, int stoppedPercent) {
        if (period.isNegative() || period.isZero() || stoppedPercent < 1 || stoppedPercent > 99) {
            throw new IllegalArgumentException("period " + period + " and stoppedPercent " + stoppedPercent
                    + "; the period must be above zero, the percentage 1 to 99");
        }
        Duration stands = period.multipliedBy(stoppedPercent).dividedBy(100);
        Slowdown slowdown = new Slowdown(pid, period.minus(stands), stands);
        slowdown.thread.start();
        return slowdown;
    }

    private void run() {
        try {
            boolean over = false;
            while (!over && Signal.STOP.offer(pid)) {
                over = closed.await(stands.toNanos(), TimeUnit.NANOSECONDS);
                Signal.CONTINUE.offer(pid);
                over = over || closed.await(runs.toNanos(), TimeUnit.NANOSECONDS);
            }
        } catch (InterruptedException e) {
            Signal.CONTINUE.offer(pid);
            Thread.currentThread().interrupt();
        }
    }

    /** Lets the process run at full speed. Blocks until it does. */
    @Override
    public void close() {
        closed.countDown();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
