// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.session;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** The process that a session belongs to; it counts what it has started, so that no two have one name. Thread-safe. */
final class ProcessPlace {

    /** What a worker is and has; empty in the main process, whose session makes its own. */
    final Optional<NestedSession.Worker> worker;

    /** How many were given a number, which is that of the last one. */
    final AtomicInteger pools = new AtomicInteger();

    final AtomicInteger processes = new AtomicInteger();
    final AtomicLong jobs = new AtomicLong();

    /** Creates the place of a worker; of the main process, which a person has started, when that is empty. */
    ProcessPlace(Optional<NestedSession.Worker> worker) {
        this.worker = worker;
    }

    String name() {
        return worker.isPresent() ? worker.get().bootstrap().name() : "main";
    }

    /** Returns the name of the process that started it; empty for the main one. */
    Optional<String> parent() {
        return worker.map(it -> it.bootstrap().parent());
    }
}
