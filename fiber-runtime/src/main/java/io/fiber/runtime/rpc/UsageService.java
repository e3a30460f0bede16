// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.rpc;

import io.fiber.runtime.platform.ProcessUsage;
import io.fiber.runtime.protocol.SealedPayload;
import java.util.Optional;

/**
 * Reports what a process uses of its host. Every process has it under the same number, without hosting it first. The
 * conductor reads the file itself, because the kernel creates it from counters in memory.
 */
public final class UsageService implements Hosted {

    /** Its number in each process. */
    public static final long OBJECT = 1;

    /** Asks for the resident memory in bytes. */
    public static final int MEMORY = 0;

    /** Asks for the processor time in nanoseconds. */
    public static final int CPU_TIME = 1;

    @Override
    public void onCall(ServiceCall call) {
        Optional<ProcessUsage> usage = ProcessUsage.ofThisProcess();
        if (usage.isEmpty()) {
            call.fail(SealedPayload.none());
        } else {
            boolean isMemory = call.request().operation() == MEMORY;
            call.answer(isMemory ? usage.get().memoryBytes() : usage.get().cpuTimeNs(), SealedPayload.none());
        }
    }
}
