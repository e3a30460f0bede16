// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.fault;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

/** Interrupts a thread of this process that waits. */
public final class Interrupt {

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Set<Thread.State> WAITS = EnumSet.of(Thread.State.WAITING, Thread.State.TIMED_WAITING);

    private Interrupt() {}

    /** Interrupts the thread as soon as it waits: before that, the interrupt would be seen without a wait. Blocks until then. */
    public static void whenItWaits(Thread thread) {
        await("a wait of " + thread).atMost(LIMIT).until(() -> WAITS.contains(thread.getState()));
        thread.interrupt();
    }
}
