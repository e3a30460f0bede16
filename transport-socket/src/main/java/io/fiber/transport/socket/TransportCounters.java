// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.socket;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** The counters of one transport. Thread-safe. */
final class TransportCounters {

    private final AtomicLong linksOpened = new AtomicLong();
    private final AtomicLong linksClosed = new AtomicLong();
    private final AtomicLong refusedConnections = new AtomicLong();
    private final AtomicLong cutConnections = new AtomicLong();
    private final AtomicLong refusedFrames = new AtomicLong();

    void countOpened() {
        linksOpened.incrementAndGet();
    }

    void countClosed() {
        linksClosed.incrementAndGet();
    }

    /** Counts a connection that named no open invitation, or came from another user. */
    void countRefused() {
        refusedConnections.incrementAndGet();
    }

    /** Counts a connection that did not name its invitation in time, or had to make room for others. */
    void countCut() {
        cutConnections.incrementAndGet();
    }

    /** Counts an invalid frame length, which closes the link. */
    void countRefusedFrame() {
        refusedFrames.incrementAndGet();
    }

    Map<String, Long> snapshot() {
        Map<String, Long> all = new LinkedHashMap<>();
        all.put("links-opened", linksOpened.get());
        all.put("links-closed", linksClosed.get());
        all.put("refused-connections", refusedConnections.get());
        all.put("cut-connections", cutConnections.get());
        all.put("refused-frames", refusedFrames.get());
        return all;
    }
}
