// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.aeron;

import io.aeron.driver.status.SystemCounterDescriptor;
import io.aeron.driver.status.SystemCounters;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The counters of the transport. The thread that drives it writes them, and any thread may read them. */
final class TransportCounters {

    private final AtomicLong errors = new AtomicLong();
    private final AtomicLong refusedSetups = new AtomicLong();
    private final AtomicLong refusedData = new AtomicLong();
    private final AtomicLong refusedControl = new AtomicLong();
    private final AtomicLong refusedFrames = new AtomicLong();
    private final AtomicLong linksOpened = new AtomicLong();
    private final AtomicLong linksClosed = new AtomicLong();

    /** The counters of this process's driver when they were last read. */
    private final Map<String, Long> ofDriver = new LinkedHashMap<>();

    private @Nullable SystemCounters driver;

    void countError() {
        errors.incrementAndGet();
    }

    /** Counts a SETUP of an unknown session, of a second peer, or with a term of another length. */
    void countRefusedSetup() {
        refusedSetups.incrementAndGet();
    }

    /** Counts a data packet of an unknown session or peer, or one whose frames do not fit into it. */
    void countRefusedData() {
        refusedData.incrementAndGet();
    }

    /** Counts a status message, NAK or other control packet that concerns no stream of this process. */
    void countRefusedControl() {
        refusedControl.incrementAndGet();
    }

    /** Counts a frame that cannot be passed on. */
    void countRefusedFrame() {
        refusedFrames.incrementAndGet();
    }

    void countOpened() {
        linksOpened.incrementAndGet();
    }

    void countClosed() {
        linksClosed.incrementAndGet();
    }

    synchronized void attach(SystemCounters counters) {
        driver = counters;
    }

    /** Reads the driver's counters for the last time, before their memory is unmapped. */
    synchronized void detach() {
        readDriver();
        driver = null;
    }

    private void readDriver() {
        SystemCounters from = driver;
        if (from != null) {
            read(from, SystemCounterDescriptor.BYTES_SENT, "bytes-sent");
            read(from, SystemCounterDescriptor.BYTES_RECEIVED, "bytes-received");
            read(from, SystemCounterDescriptor.NAK_MESSAGES_SENT, "naks-sent");
            read(from, SystemCounterDescriptor.NAK_MESSAGES_RECEIVED, "naks-received");
            read(from, SystemCounterDescriptor.RETRANSMITS_SENT, "retransmits-sent");
            read(from, SystemCounterDescriptor.INVALID_PACKETS, "invalid-packets");
            read(from, SystemCounterDescriptor.SHORT_SENDS, "short-sends");
            read(from, SystemCounterDescriptor.FLOW_CONTROL_OVER_RUNS, "flow-control-over-runs");
            read(from, SystemCounterDescriptor.FLOW_CONTROL_UNDER_RUNS, "flow-control-under-runs");
            read(from, SystemCounterDescriptor.CLIENT_TIMEOUTS, "client-timeouts");
            read(from, SystemCounterDescriptor.ERRORS, "driver-errors");
        }
    }

    private void read(SystemCounters from, SystemCounterDescriptor counter, String name) {
        ofDriver.put(name, from.get(counter).get());
    }

    synchronized Map<String, Long> snapshot() {
        Map<String, Long> all = new LinkedHashMap<>();
        all.put("links-opened", linksOpened.get());
        all.put("links-closed", linksClosed.get());
        all.put("refused-setups", refusedSetups.get());
        all.put("refused-data", refusedData.get());
        all.put("refused-control", refusedControl.get());
        all.put("refused-frames", refusedFrames.get());
        all.put("client-errors", errors.get());
        readDriver();
        all.putAll(ofDriver);
        return all;
    }
}
