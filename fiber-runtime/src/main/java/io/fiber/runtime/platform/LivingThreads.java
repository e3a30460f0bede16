// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.platform;

import java.util.Arrays;
import java.util.List;

/** Lists the threads of this JVM without their stack traces, which would stop them all. Stateless and thread-safe. */
public final class LivingThreads {

    private LivingThreads() {}

    /** Returns the threads that are alive now. */
    public static List<Thread> all() {
        ThreadGroup top = Thread.currentThread().getThreadGroup();
        while (top.getParent() != null) {
            top = top.getParent();
        }
        Thread[] threads = new Thread[top.activeCount() + 16];
        int count = top.enumerate(threads);
        while (count == threads.length) {
            threads = new Thread[2 * threads.length];
            count = top.enumerate(threads);
        }
        return Arrays.asList(threads).subList(0, count);
    }
}
