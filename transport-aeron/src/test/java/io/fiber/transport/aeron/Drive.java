// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.aeron;

import io.fiber.spi.transport.Link;
import io.fiber.spi.transport.LinkState;
import io.fiber.spi.transport.OfferResult;
import io.fiber.spi.transport.Transport;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Drives transports in the thread of a test. */
final class Drive {

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int IDLE_CYCLES_BEFORE_PARKING = 200;
    private static final long PARK_NS = 200_000;

    private Drive() {}

    static void until(String what, BooleanSupplier condition, Transport... transports) {
        long endNs = System.nanoTime() + LIMIT.toNanos();
        for (int idleCycles = 0; !condition.getAsBoolean(); ) {
            idleCycles = cycle(transports) > 0 ? 0 : idleCycles + 1;
            idle(idleCycles);
            if (System.nanoTime() - endNs > 0) {
                throw new AssertionError("not within " + LIMIT + ": " + what);
            }
        }
    }

    static void during(Duration time, Transport... transports) {
        long endNs = System.nanoTime() + time.toNanos();
        for (int idleCycles = 0; System.nanoTime() - endNs < 0; ) {
            idleCycles = cycle(transports) > 0 ? 0 : idleCycles + 1;
            idle(idleCycles);
        }
    }

    private static int cycle(Transport... transports) {
        int work = 0;
        for (Transport transport : transports) {
            work += transport.doWork();
        }
        return work;
    }

    /** A test that waits for seconds leaves the processor to others. */
    private static void idle(int idleCycles) {
        if (idleCycles > IDLE_CYCLES_BEFORE_PARKING) {
            LockSupport.parkNanos(PARK_NS);
        }
    }

    static void connect(Link a, Link b, Transport... transports) {
        until(
                "both CONNECTED, are " + a.address(),
                () -> {
                    if (a.state() == LinkState.CLOSED || b.state() == LinkState.CLOSED) {
                        throw new AssertionError(a.closeReason() + " | " + b.closeReason());
                    }
                    return a.state() == LinkState.CONNECTED && b.state() == LinkState.CONNECTED;
                },
                transports);
    }

    /** Sends {@code count} frames of different lengths and contents, and tells whether all came in order and whole. */
    static List<String> differences(Link from, Link to, int count, Transport... transports) {
        List<String> differences = new ArrayList<>();
        ByteBuffer frame = ByteBuffer.allocateDirect(from.maxFrameLength());
        int[] received = {0};
        int sent = 0;
        long endNs = System.nanoTime() + LIMIT.toNanos();
        while (received[0] < count && System.nanoTime() - endNs < 0) {
            if (sent < count) {
                fill(frame, sent);
                sent += from.offer(frame) == OfferResult.ACCEPTED ? 1 : 0;
            }
            for (Transport transport : transports) {
                transport.doWork();
            }
            to.poll(
                    (buffer, offset, length) -> {
                        fill(frame, received[0]++);
                        if (!frame.equals(
                                buffer.duplicate().limit(offset + length).position(offset))) {
                            differences.add("frame " + received[0] + " of " + length);
                        }
                    },
                    3);
        }
        if (received[0] != count) {
            differences.add("received " + received[0] + " of " + count + ", sent " + sent);
        }
        return differences;
    }

    private static void fill(ByteBuffer frame, int number) {
        int length = 1 + (int) (((number * 2_654_435_761L) >>> 4) % frame.capacity());
        frame.clear();
        for (int i = 0; i < length; i++) {
            frame.put(i, (byte) (number + i * 7));
        }
        frame.limit(length);
    }
}
