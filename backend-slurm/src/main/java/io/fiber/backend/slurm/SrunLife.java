// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The life of one srun. Its end is waited for by a thread of its own and not by {@link Process#onExit}, whose answers come
 * from the common pool: a program that fills that pool would learn late of the end, and count too long a life. Thread-safe.
 */
final class SrunLife {

    private static final long WAITER_STACK_BYTES = 128 * 1024;

    private final Process process;
    private final LongSupplier clock;
    private final long beganNs;
    private @Nullable Duration whole;
    private @Nullable Thread waiter;

    /**
     * Begins now.
     *
     * @param clock in nanoseconds
     */
    SrunLife(Process process, LongSupplier clock) {
        this.process = process;
        this.clock = clock;
        this.beganNs = clock.getAsLong();
    }

    /** Runs {@code told} when it is over, on a thread of its own. */
    synchronized void whenOver(Runnable told) {
        waiter = new Thread(null, () -> await(told), "fiber-slurm-srun", WAITER_STACK_BYTES);
        waiter.setDaemon(true);
        waiter.start();
    }

    private void await(Runnable told) {
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            // The end is no longer of interest.
            return;
        }
        whole();
        told.run();
    }

    /** Drops what {@link #whenOver} was given. */
    synchronized void leave() {
        if (waiter != null) {
            waiter.interrupt();
        }
    }

    /** Returns how long it was, up to the moment at which its end was first seen. To be asked when it is over. */
    synchronized Duration whole() {
        if (whole == null) {
            whole = Duration.ofNanos(clock.getAsLong() - beganNs);
        }
        return whole;
    }
}
