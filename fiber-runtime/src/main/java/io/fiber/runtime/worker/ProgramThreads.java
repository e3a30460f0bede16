// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.worker;

import io.fiber.runtime.platform.LivingThreads;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The threads that a process's program has started. The process lives until the last of them has ended that is no daemon,
 * as a JVM does. Belongs to the thread that runs the program.
 */
final class ProgramThreads {

    /** The threads of the process before its program began, which are Fiber's. */
    private final Set<Thread> before = Collections.newSetFromMap(new IdentityHashMap<>());

    /** Notes which threads there are; the program has not begun. */
    ProgramThreads() {
        before.addAll(LivingThreads.all());
    }

    /** Waits until each thread that the program has started, and those that they start, has ended or is a daemon. */
    @SuppressWarnings("ThreadJoinLoop") // the loop looks for the next thread, which may be the same
    void awaitEnd() {
        for (Thread next = living(); next != null; next = living()) {
            try {
                next.join();
            } catch (InterruptedException e) {
                // The program's interrupt, which reached this thread when the program had returned.
            }
        }
    }

    private @Nullable Thread living() {
        for (Thread thread : LivingThreads.all()) {
            if (!thread.isDaemon() && thread.isAlive() && !before.contains(thread)) {
                return thread;
            }
        }
        return null;
    }
}
