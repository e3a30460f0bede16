// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The threads that read answers for which no thread waits. They end when there is nothing to read. Thread-safe. */
final class Readers {

    private static final int THREADS = 2;
    private static final ThreadPoolExecutor POOL =
            new ThreadPoolExecutor(THREADS, THREADS, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                Thread thread = new Thread(task, "fiber-answers");
                thread.setDaemon(true);
                return thread;
            });

    static {
        POOL.allowCoreThreadTimeOut(true);
    }

    private Readers() {}

    static void execute(Runnable task) {
        POOL.execute(task);
    }
}
