// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.fault;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

/** Interrupts a waiting thread of this process. */
public final class Interrupt {

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Set<Thread.State> WAITS = EnumSet.of(Thread.State.WAITING, Thread.State.TIMED_WAITING);

    private Interrupt() {}

    /**
     * Interrupts the thread as soon as it waits, because an earlier interrupt would be noticed without a wait. Blocks
     * until then.
     */
    public static void whenItWaits(Thread thread) {
        await("a wait of " + thread).atMost(LIMIT).until(() -> waits(thread));
        thread.interrupt();
    }

    /** Returns whether a thread waits. A thread that waits for a socket is in a system call, and counts as running. */
    public static boolean waits(Thread thread) {
        StackTraceElement[] stack = thread.getStackTrace();
        return WAITS.contains(thread.getState())
                || (stack.length > 0
                        && stack[0].isNativeMethod()
                        && stack[0].getMethodName().equals("wait"));
    }
}
