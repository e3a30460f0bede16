// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.worker;

import io.fiber.runtime.eventloop.Duty;
import io.fiber.runtime.platform.Signals;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Handles SIGTERM, by which platforms ask a process to end before they kill it. The handler is installed when the
 * process is a second old: installing costs some 10 ms of processor time, and a younger process has nothing worth
 * finishing. Belongs to the conductor.
 */
public final class TermSignal implements Duty {

    /** The exit code of a JVM that does not handle the signal. */
    private static final int EXIT_CODE = 143;

    private static final long AGE_NS = 1_000_000_000L;

    private final BooleanSupplier taker;
    private final long dueNs = System.nanoTime() + AGE_NS;
    private boolean open = true;

    /**
     * Passes the signal to {@code taker} instead of ending this JVM, unless the JVM lets no code handle it. A thread of
     * its own calls {@code taker}, which returns false if this JVM shall end after all.
     */
    public TermSignal(BooleanSupplier taker) {
        this.taker = taker;
    }

    /** Installs the handler when it is time. */
    @Override
    public int doWork(long nowNs) {
        if (open && System.nanoTime() - dueNs >= 0) {
            open = false;
            Signals.takenBy(number -> onSignal(), List.of("TERM"));
        }
        return 0;
    }

    @Override
    public boolean isTimed() {
        return open;
    }

    private void onSignal() {
        if (!taker.getAsBoolean()) {
            System.exit(EXIT_CODE);
        }
    }
}
