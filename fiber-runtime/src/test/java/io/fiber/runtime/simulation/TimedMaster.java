// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.simulation;

import io.fiber.runtime.eventloop.Conductor;
import java.time.Duration;

/**
 * A master's process with an I/O thread: a cycle takes as long as it really takes the processor, and between two cycles the
 * thread sleeps until something comes.
 */
final class TimedMaster {

    static final Duration LEASE = Duration.ofSeconds(20);

    private static final long START_LIMIT_NS = 600_000_000_000L;
    private static final long BLOCKING_NS = 1_000_000;
    /** How soon a cycle follows one that has found nothing, if nothing comes. */
    private static final long TICK_NS = 10_000_000;

    private final World world;
    private final LogWatch log;
    private final MasterCore core;
    private final TimedThread thread;
    private long dueNs = Long.MAX_VALUE;
    private long cycles;
    private int work;

    TimedMaster(World world, SteadyNetwork network, SimulatedCluster cluster, LogWatch log) {
        this.world = world;
        this.log = log;
        this.core = MasterCore.of(
                world, new MasterCore.Terms(network, cluster, LEASE, START_LIMIT_NS), this::runInBackground);
        this.thread = new TimedThread(world);
        cluster.onNews(this::wake);
        network.onNewsForMaster(this::wake);
        wake();
    }

    private void runInBackground(Runnable task) {
        world.later(BLOCKING_NS, () -> {
            task.run();
            wake();
        });
    }

    MasterCore core() {
        return core;
    }

    Conductor conductor() {
        return core.conductor();
    }

    /** Has the conductor run something, as another thread does. */
    void command(Runnable action) {
        world.later(0, () -> {
            core.conductor().execute(action);
            wake();
        });
    }

    /** Returns how long the conductor's thread has had a processor. */
    long busyNs() {
        return thread.busyNs();
    }

    /** Returns how many cycles there were. */
    long cycles() {
        return cycles;
    }

    private void wake() {
        cycleAt(thread.freeNs());
    }

    private void cycleAt(long wantedNs) {
        long atNs = Math.max(world.nowNs(), wantedNs);
        if (atNs < dueNs) {
            dueNs = atNs;
            world.later(atNs - world.nowNs(), () -> {
                if (dueNs == atNs) {
                    cycle();
                }
            });
        }
    }

    private void cycle() {
        dueNs = Long.MAX_VALUE;
        cycles++;
        thread.run(() -> work = core.conductor().doWork());
        String error = log.takeError();
        world.require(error == null, () -> "the log has an error: " + error);
        cycleAt(thread.freeNs() + (work > 0 ? 0 : TICK_NS));
    }
}
