// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.memory;

import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** The counters of one transport. Thread-safe. */
final class MemoryCounters {

    private final AtomicLong framesAccepted = new AtomicLong();
    private final AtomicLong framesDelivered = new AtomicLong();
    private final AtomicLong diallingsLost = new AtomicLong();

    void frameAccepted() {
        framesAccepted.incrementAndGet();
    }

    void framesDelivered(int count) {
        framesDelivered.addAndGet(count);
    }

    void diallingLost() {
        diallingsLost.incrementAndGet();
    }

    Map<String, Long> values() {
        return Map.of(
                "frames-accepted", framesAccepted.get(),
                "frames-delivered", framesDelivered.get(),
                "diallings-lost", diallingsLost.get());
    }
}
