// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool.scheduling;

/** When a call may wait though it has items and a thread is idle: before much is known of its function, and not for long. */
final class Trials {

    private static final int CHUNKS = 32;
    private static final long LONGEST_NS = 10_000_000;

    private Trials() {}

    static boolean mayWait(Call call, long nowNs) {
        return call.limits.chunkItems() == 0 && call.held().size() >= CHUNKS && nowNs - call.begunNs() < LONGEST_NS;
    }
}
