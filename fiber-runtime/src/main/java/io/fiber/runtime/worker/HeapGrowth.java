// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.worker;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.VMOption;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Lets the heap of a worker grow when it meets a large payload. A worker starts with a small heap, which full collections
 * keep small: with large arrays, there would be one for every other array. Thread-safe.
 */
final class HeapGrowth {

    private static final long LARGE_BYTES = 1 << 20;
    /** A worker with 16 MB in use has a heap of up to 160 MB. With 70, collections took twice as long. */
    private static final int FREE_PERCENT = 90;

    private final AtomicBoolean hasBegun = new AtomicBoolean();

    /** A payload of this length has arrived or is about to be sent. Does not block. */
    void onPayload(long bytes) {
        if (bytes >= LARGE_BYTES && !hasBegun.getAndSet(true)) {
            try {
                // It loads classes for some 50 ms.
                Thread setter = new Thread(HeapGrowth::allow, "fiber-heap");
                setter.setDaemon(true);
                setter.start();
            } catch (OutOfMemoryError e) {
                // There is no further thread: collections stay as they are.
            }
        }
    }

    private static void allow() {
        try {
            HotSpotDiagnosticMXBean options = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
            // In this order, as the least must not exceed the most.
            List<VMOption> ratios =
                    List.of(options.getVMOption("MaxHeapFreeRatio"), options.getVMOption("MinHeapFreeRatio"));
            if (ratios.stream().allMatch(ratio -> ratio.getOrigin() == VMOption.Origin.DEFAULT)) {
                ratios.forEach(ratio -> options.setVMOption(ratio.getName(), Integer.toString(FREE_PERCENT)));
            }
        } catch (LinkageError | RuntimeException e) {
            // Another virtual machine, or a runtime image without management: collections stay as they are.
        }
    }
}
