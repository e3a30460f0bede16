// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.simulated;

import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * A time that stands still until the test advances it. Steps run in the advancing thread. It suits jobs that follow a
 * script; several backends may share it. Thread-safe.
 */
public final class VirtualTimeline implements Timeline {

    private record Step(long dueNs, long number, Runnable action) {}

    private final PriorityQueue<Step> steps =
            new PriorityQueue<>(Comparator.comparingLong(Step::dueNs).thenComparingLong(Step::number));
    private long nowNs;
    private long numbers;

    /** Creates a time that begins at 0. */
    public VirtualTimeline() {}

    /** Returns the time in nanoseconds since the beginning. */
    public synchronized long nowNs() {
        return nowNs;
    }

    @Override
    public synchronized void after(Duration delay, Runnable step) {
        steps.add(new Step(nowNs + delay.toNanos(), numbers++, step));
    }

    /** Advances the time and runs every step that becomes due, including steps that such steps add. */
    public void advance(Duration time) {
        long untilNs;
        synchronized (this) {
            untilNs = nowNs + time.toNanos();
        }
        for (Step step = next(untilNs); step != null; step = next(untilNs)) {
            step.action.run();
        }
        synchronized (this) {
            nowNs = untilNs;
        }
    }

    private synchronized @Nullable Step next(long untilNs) {
        Step step = steps.peek();
        if (step == null || step.dueNs > untilNs) {
            return null;
        }
        nowNs = step.dueNs;
        return steps.remove();
    }

    /** Does nothing, because the time belongs to the test. */
    @Override
    public void close() {}
}
