// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.aeron;

import io.aeron.driver.status.SystemCounterDescriptor;
import io.aeron.driver.status.SystemCounters;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the driver of this process has counted; remembered after it is gone. Guarded by {@link TransportCounters}. */
final class DriverCounters {

    private static final SystemCounterDescriptor[] SHOWN = {
        SystemCounterDescriptor.BYTES_SENT,
        SystemCounterDescriptor.BYTES_RECEIVED,
        SystemCounterDescriptor.NAK_MESSAGES_SENT,
        SystemCounterDescriptor.NAK_MESSAGES_RECEIVED,
        SystemCounterDescriptor.RETRANSMITS_SENT,
        SystemCounterDescriptor.INVALID_PACKETS,
        SystemCounterDescriptor.SHORT_SENDS,
        SystemCounterDescriptor.FLOW_CONTROL_OVER_RUNS,
        SystemCounterDescriptor.FLOW_CONTROL_UNDER_RUNS,
        SystemCounterDescriptor.CLIENT_TIMEOUTS,
        SystemCounterDescriptor.ERRORS,
    };

    private static final String[] NAMES = {
        "bytes-sent",
        "bytes-received",
        "naks-sent",
        "naks-received",
        "retransmits-sent",
        "invalid-packets",
        "short-sends",
        "flow-control-over-runs",
        "flow-control-under-runs",
        "client-timeouts",
        "driver-errors",
    };

    private final long[] lastSeen = new long[SHOWN.length];
    private @Nullable SystemCounters driver;

    DriverCounters(SystemCounters driver) {
        this.driver = driver;
    }

    void addTo(Map<String, Long> all) {
        refresh();
        for (int i = 0; i < SHOWN.length; i++) {
            all.put(NAMES[i], lastSeen[i]);
        }
    }

    void detach() {
        refresh();
        driver = null;
    }

    private void refresh() {
        SystemCounters current = driver;
        if (current != null) {
            for (int i = 0; i < SHOWN.length; i++) {
                lastSeen[i] = current.get(SHOWN[i]).get();
            }
        }
    }
}
