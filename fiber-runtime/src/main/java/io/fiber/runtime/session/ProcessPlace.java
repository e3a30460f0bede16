// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.session;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The process to which a session belongs. It numbers what the process has started, so that all names differ.
 * Thread-safe.
 */
final class ProcessPlace {

    /** The worker; empty in the main process, whose session creates its own parts. */
    final Optional<NestedSession.Worker> worker;

    /** The number of the last numbered pool. */
    final AtomicInteger pools = new AtomicInteger();

    final AtomicInteger processes = new AtomicInteger();

    private final AtomicInteger lastWorker = new AtomicInteger();

    /** Creates the place of a worker, or of the main process if there is no worker. */
    ProcessPlace(Optional<NestedSession.Worker> worker) {
        this.worker = worker;
    }

    /**
     * Takes consecutive numbers of workers, from 1, and of clients, which stand beside workers; returns the first.
     * With a count of 0, no number is taken.
     */
    int takeNumbers(int count) {
        return lastWorker.getAndAdd(count) + 1;
    }

    String name() {
        return worker.isPresent() ? worker.get().bootstrap().name() : "main";
    }

    /** Returns the name of the process that started this one; empty for the main process. */
    Optional<String> parent() {
        return worker.map(it -> it.bootstrap().parent());
    }
}
