// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.session;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** The process that a session belongs to; it counts what it has started, so that no two have one name. Thread-safe. */
final class ProcessPlace {

    private final Optional<NestedSession.Worker> worker;
    private final AtomicInteger pools = new AtomicInteger();
    private final AtomicInteger processes = new AtomicInteger();
    private final AtomicLong jobs = new AtomicLong();

    /** Creates the place of a worker; of the main process, which a person has started, when that is empty. */
    ProcessPlace(Optional<NestedSession.Worker> worker) {
        this.worker = worker;
    }

    /** Returns what a worker is and has; empty in the main process, whose session makes its own. */
    Optional<NestedSession.Worker> worker() {
        return worker;
    }

    String name() {
        return worker.isPresent() ? worker.get().bootstrap().name() : "main";
    }

    /** Returns the name of the process that started it; empty for the main one. */
    Optional<String> parent() {
        return worker.map(it -> it.bootstrap().parent());
    }

    long nextJob() {
        return jobs.incrementAndGet();
    }

    int nextPool() {
        return pools.incrementAndGet();
    }

    /** Returns what {@link #nextPool} will return, if it is called next. */
    int comingPool() {
        return pools.get() + 1;
    }

    int nextProcess() {
        return processes.incrementAndGet();
    }
}
