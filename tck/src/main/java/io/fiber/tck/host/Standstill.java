// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.host;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * How long a call stood still: its time less the processor time of its thread. On a busy machine all code stands still
 * now and then. So code that waits for nothing uses as much processor time right after the call, for comparison.
 *
 * @param call how long the call stood still
 * @param control how long the other code did
 */
public record Standstill(Duration call, Duration control) {

    /** One call may be stopped by the machine; hardly all of them. */
    private static final int TRIES = 5;

    /** The two are not measured at the same moment. */
    private static final int TOLERANCE = 3;

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    /** Makes the call in this thread and returns how long it stood still. */
    public static Standstill of(Runnable call) {
        long processorNs = processorNs();
        long startNs = System.nanoTime();
        call.run();
        long timeNs = System.nanoTime() - startNs;
        long usedNs = processorNs() - processorNs;
        return new Standstill(Duration.ofNanos(Math.max(0, timeNs - usedNs)), control(usedNs));
    }

    private static Duration control(long usedNs) {
        long processorNs = processorNs();
        long startNs = System.nanoTime();
        long ownNs = 0;
        while (ownNs < usedNs) {
            ownNs = processorNs() - processorNs;
        }
        return Duration.ofNanos(Math.max(0, System.nanoTime() - startNs - ownNs));
    }

    private static long processorNs() {
        return THREADS.isCurrentThreadCpuTimeSupported() ? THREADS.getCurrentThreadCpuTime() : 0;
    }

    /**
     * Checks that a call waits for nothing. The best of several attempts counts.
     *
     * @param what the call, for the reader of a failure
     * @param allowed how long the call may wait
     * @param attempt makes the call, each time with a new subject if necessary
     */
    public static void check(String what, Duration allowed, Supplier<Standstill> attempt) {
        Standstill best = attempt.get();
        for (int i = 1; i < TRIES && best.exceeds(allowed); i++) {
            Standstill next = attempt.get();
            best = next.call.compareTo(best.call) < 0 ? next : best;
        }
        if (best.exceeds(allowed)) {
            throw new AssertionError(what + " waited for " + inWords(best.call) + " in the best of " + TRIES
                    + " attempts, although code that waits for nothing was stopped for " + inWords(best.control)
                    + " only. It may wait for " + inWords(allowed) + ".");
        }
    }

    private boolean exceeds(Duration allowed) {
        return call.minus(control.multipliedBy(TOLERANCE)).compareTo(allowed) > 0;
    }

    private static String inWords(Duration time) {
        return TimeUnit.NANOSECONDS.toMicros(time.toNanos()) / 1_000.0 + " ms";
    }
}
