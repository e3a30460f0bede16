// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.worker;

import io.fiber.runtime.eventloop.Duty;
import io.fiber.runtime.logging.Logs;
import io.fiber.runtime.protocol.ExitCode;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;

/**
 * Ends a worker that is not admitted in time: its master, or its master's host, may have died before they connected,
 * and then no connection ends. After its admission, a worker has its lease. Belongs to the conductor.
 *
 * <p>Time in which this process could not run does not count: it was stopped, its host was suspended, or others had the
 * processors. Containers with a small share of a busy node start like this: a handshake of milliseconds takes them half
 * a minute. But a process that must wait again and again ends after {@value #STARVED} times the limit.
 */
public final class EntryLimit implements Duty {

    /** The shortest limit. A lease may be too short for the work of a master when many workers connect at once. */
    private static final Duration LEAST = Duration.ofSeconds(20);

    /** Ten times the sleep of an idle conductor. */
    private static final long LONGEST_CYCLE_NS = 100_000_000;

    /** If the gaps between its cycles are longer, a conductor was stopped and did not just wait for a processor. */
    private static final long LONGEST_PAUSE_NS = 2_000_000_000;

    /** How many times its limit a worker may wait if it gets no processor time. */
    private static final int STARVED = 3;

    private static final System.Logger LOG = Logs.of(EntryLimit.class);

    private final MasterRoute way;
    private final long limitNs;
    private final BooleanSupplier isLetIn;
    private final IntConsumer exit;
    private boolean looked;
    private boolean settled;
    private long lastNs;
    /** How long the worker has run and waited. */
    private long waitedNs;
    /** The same, including the time in which others had its processor. */
    private long awakeNs;

    /** Creates the limit of a worker that looks for its master at this place. It counts from its first cycle. */
    public EntryLimit(Duration lease, MasterRoute way, BooleanSupplier isLetIn, IntConsumer exit) {
        this.limitNs = of(lease).toNanos();
        this.way = way;
        this.isLetIn = isLetIn;
        this.exit = exit;
    }

    /** Returns how long a worker with this lease waits to be admitted. */
    static Duration of(Duration lease) {
        return lease.compareTo(LEAST) > 0 ? lease : LEAST;
    }

    @Override
    public boolean isTimed() {
        return !settled;
    }

    @Override
    public int doWork(long nowNs) {
        if (settled) {
            return 0;
        }
        if (isLetIn.getAsBoolean()) {
            settled = true;
            return 0;
        }
        if (looked) {
            waitedNs += Math.min(nowNs - lastNs, LONGEST_CYCLE_NS);
            awakeNs += Math.min(nowNs - lastNs, LONGEST_PAUSE_NS);
        }
        looked = true;
        lastNs = nowNs;
        boolean isStarved = awakeNs / STARVED > limitNs;
        if (waitedNs > limitNs || isStarved) {
            settled = true;
            LOG.log(System.Logger.Level.WARNING, way.isShut((isStarved ? STARVED : 1) * limitNs / 1_000_000));
            exit.accept(ExitCode.MASTER_LOST.code());
            return 1;
        }
        return 0;
    }
}
