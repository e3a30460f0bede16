// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.aeron;

import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.ringbuffer.RingBuffer;

/**
 * Skips a command to the driver that a process began to write and did not finish because it was killed. This happens: a
 * pool that closes kills workers that are still starting, which is when they write commands. Until the rest arrives,
 * the driver accepts no command of any process. By itself it would wait for {@link TransportTimes#livenessNs}, longer
 * than a worker may take to start. Not thread-safe; belongs to the driving thread.
 */
final class CommandGap {

    /** Writing takes microseconds, but other programs may hold up a live process on shared processors. */
    static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(2);

    private final RingBuffer commands;
    private long position = -1;
    private long sinceNs;

    CommandGap(RingBuffer commands) {
        this.commands = commands;
    }

    /** Skips the command for which the driver has waited too long. Called after each cycle of the driver. */
    void skip() {
        long read = commands.consumerPosition();
        if (read == commands.producerPosition()) {
            position = -1;
        } else if (read != position) {
            position = read;
            sinceNs = System.nanoTime();
        } else if (System.nanoTime() - sinceNs > LIMIT_NS) {
            commands.unblock();
            position = -1;
        }
    }
}
