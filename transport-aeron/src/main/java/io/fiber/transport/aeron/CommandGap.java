// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.aeron;

import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.ringbuffer.RingBuffer;

/**
 * A command to the driver that a process has begun to write and did not finish, because it was killed: a pool that closes
 * kills the workers that are still starting, and starting is when they write. The driver takes no command of any process
 * while it waits for the rest. By itself it would wait for {@link TransportTimes#livenessNs}, longer than a worker may take
 * to start. Belongs to the thread that drives.
 */
final class CommandGap {

    /** Writing takes microseconds; a process that lives may be held up by others that share its processors. */
    static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(2);

    private final RingBuffer commands;
    private long position = -1;
    private long sinceNs;

    CommandGap(RingBuffer commands) {
        this.commands = commands;
    }

    /** Skips the command for which the driver has waited too long. Called after each of the driver's cycles. */
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
