// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.aeron;

import io.aeron.Aeron;
import io.aeron.status.HeartbeatTimestamp;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.EpochClock;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.AtomicCounter;
import org.agrona.concurrent.status.CountersReader;
import org.jspecify.annotations.Nullable;

/**
 * The clock of a driver and of the client in the same process, which one thread drives in turn. If the process was
 * stopped (SIGSTOP, a debugger), each would think that the other was silent for that long and give up, although both
 * continue. So when this clock is first read after a stop, it writes the heartbeats of both before they are compared
 * with it. It also does not count the stop as time in which the client was not served. Until there is a client, the
 * clock advances by at most a second at a time. Otherwise, on a busy machine, the driver would look dead by the time
 * the client has started.
 *
 * <p>Clients in other processes are still judged by {@link SteadyClock}, because their silence is real. Not
 * thread-safe; belongs to the driving thread.
 */
final class OwnDriverClock implements EpochClock, NanoClock {

    /** Longer than a garbage collection pause, shorter than any timeout. */
    private static final long LONGEST_STEP_NS = TimeUnit.SECONDS.toNanos(1);

    private final EpochClock epoch;
    private final NanoClock nano;
    private long lastMs;
    /** The time until there is a client. */
    private long startMs;

    private long lastNs;
    private long countedNs;
    private @Nullable Aeron client;

    OwnDriverClock(EpochClock epoch, NanoClock nano) {
        this.epoch = epoch;
        this.nano = nano;
        this.lastMs = epoch.time();
        this.startMs = lastMs;
        this.lastNs = nano.nanoTime();
        this.countedNs = lastNs;
    }

    /** Sets the client of the same process. */
    void attach(Aeron own) {
        client = own;
        lastMs = startMs;
    }

    /** Returns the time by which heartbeats are judged, in milliseconds. */
    @Override
    public long time() {
        Aeron own = client;
        long nowMs = epoch.time();
        if (own == null) {
            startMs += Math.min(nowMs - lastMs, TimeUnit.NANOSECONDS.toMillis(LONGEST_STEP_NS));
            lastMs = nowMs;
            return startMs;
        }
        // A closed client has unmapped the memory of the heartbeats.
        if (!own.isClosed() && nowMs - lastMs > TimeUnit.NANOSECONDS.toMillis(LONGEST_STEP_NS)) {
            writeHeartbeats(own, nowMs);
        }
        lastMs = nowMs;
        return nowMs;
    }

    private static void writeHeartbeats(Aeron own, long nowMs) {
        own.context().toDriverBuffer().consumerHeartbeatTime(nowMs);
        UnsafeBuffer values = own.context().countersValuesBuffer();
        int counter = HeartbeatTimestamp.findCounterIdByRegistrationId(
                own.countersReader(), HeartbeatTimestamp.HEARTBEAT_TYPE_ID, own.clientId());
        if (counter != CountersReader.NULL_COUNTER_ID) {
            new AtomicCounter(values, counter).setRelease(nowMs);
        }
    }

    /**
     * Returns the time by which a client judges how long it was not served, in nanoseconds. It advances by at most a
     * second at a time.
     */
    @Override
    public long nanoTime() {
        long nowNs = nano.nanoTime();
        countedNs += Math.min(nowNs - lastNs, LONGEST_STEP_NS);
        lastNs = nowNs;
        return countedNs;
    }
}
