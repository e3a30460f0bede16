// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.manager;

import io.fiber.runtime.service.Here;
import io.fiber.runtime.service.Hosted;
import io.fiber.runtime.service.ObjectAddress;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** What the objects of a manager's process share: its place among the processes, and the threads that run calls. Thread-safe. */
final class Host implements AutoCloseable {

    /** So many objects are busy at one time; further ones wait their turn. */
    private static final int THREADS = 32;

    private static final long IDLE_SECONDS = 30;

    private final Here here;
    private final ThreadPoolExecutor threads;

    Host(Here here) {
        this.here = here;
        AtomicInteger number = new AtomicInteger();
        this.threads = new ThreadPoolExecutor(
                THREADS, THREADS, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                    Thread thread = new Thread(task, "fiber-object-" + number.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                });
        threads.allowCoreThreadTimeOut(true);
    }

    Here here() {
        return here;
    }

    void execute(Runnable task) {
        threads.execute(task);
    }

    ObjectAddress host(Hosted hosted) {
        return here.switchboard().host(hosted);
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
