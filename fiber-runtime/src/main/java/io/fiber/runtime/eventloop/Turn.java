// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.eventloop;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Which thread conducts, one at a time; what one did is seen by the next. A lock of the JDK is four times as many calls, which
 * a fresh process interprets. Thread-safe.
 */
final class Turn {

    private static final long LOOK_NS = 100_000;

    private final AtomicInteger taken = new AtomicInteger();
    /** Each thread looks only for itself here, so none needs to see what another has written. */
    private @Nullable Thread holder;

    /** Returns false when a thread has it, be it the calling one. */
    boolean take() {
        if (!taken.compareAndSet(0, 1)) {
            return false;
        }
        holder = Thread.currentThread();
        return true;
    }

    /** Waits until the calling thread has it. */
    void await() {
        while (!isMine() && !take()) {
            LockSupport.parkNanos(this, LOOK_NS);
        }
    }

    void give() {
        holder = null;
        taken.set(0);
    }

    boolean isMine() {
        return holder == Thread.currentThread();
    }
}
