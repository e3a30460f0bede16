// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.simulation;

import io.fiber.runtime.eventloop.Conductor;
import io.fiber.runtime.process.WorkerSupervisor;
import io.fiber.runtime.security.Seals;
import java.time.Duration;
import java.util.concurrent.Executor;

/** The master's process: its conductor runs when something has come, and now and then; late when the process was stopped. */
final class SimulatedMaster {

    private static final long TICK_NS = 100_000_000;
    private static final long CYCLE_NS = 5_000;
    private static final long CYCLE_OF_A_WORKER_NS = 50;
    /** A cycle looks at every worker: where there are many it comes less often, or a seed would take minutes. */
    private static final int MANY_WORKERS = 30;

    private static final long CYCLE_OF_ONE_OF_MANY_NS = 2_000;
    private static final long TICK_OF_ONE_OF_MANY_NS = 500_000;
    private static final long FOREVER = Long.MAX_VALUE;

    private final World world;
    private final MasterCore core;
    private final LogWatch log;
    private final long cycleNs;
    private final long tickNs;
    private Runnable check = () -> {};
    private long dueNs = FOREVER;
    private long stoppedUntilNs = Long.MIN_VALUE;

    /** What a master is made of. */
    record Parts(SimulatedNetwork network, SimulatedCluster cluster, Duration lease, long startLimitNs, int workers) {}

    SimulatedMaster(World world, Parts parts, LogWatch log) {
        this.world = world;
        this.log = log;
        int many = Math.max(0, parts.workers - MANY_WORKERS);
        this.cycleNs = CYCLE_NS + CYCLE_OF_A_WORKER_NS * parts.workers + CYCLE_OF_ONE_OF_MANY_NS * many;
        this.tickNs = TICK_NS + TICK_OF_ONE_OF_MANY_NS * many;
        this.core = MasterCore.of(
                world,
                new MasterCore.Terms(parts.network, parts.cluster, parts.lease, parts.startLimitNs),
                blocking(world));
        parts.network.onNewsForMaster(this::wake);
        parts.cluster.onNews(this::wake);
        tick();
    }

    private Executor blocking(World world) {
        return task -> world.later(world.between(50_000, 20_000_000), () -> {
            task.run();
            wake();
        });
    }

    Conductor conductor() {
        return core.conductor();
    }

    WorkerSupervisor supervisor() {
        return core.supervisor();
    }

    Seals seals() {
        return core.seals();
    }

    /** Says what is checked after each cycle. */
    void afterEachCycle(Runnable what) {
        check = what;
    }

    /** Has the conductor run something, as another thread does. */
    void command(Runnable action) {
        core.conductor().execute(action);
        wake();
    }

    /** Stops it, as a debugger or a long collection does. */
    void stop(long forNs) {
        stoppedUntilNs = Math.max(stoppedUntilNs, world.nowNs() + forNs);
    }

    private void tick() {
        world.later(tickNs, this::tick);
        wake();
    }

    private void wake() {
        wakeAfter(cycleNs);
    }

    private void wakeAfter(long delayNs) {
        long atNs = Math.max(world.nowNs() + delayNs, stoppedUntilNs);
        if (atNs < dueNs) {
            dueNs = atNs;
            world.later(atNs - world.nowNs(), () -> {
                if (dueNs == atNs) {
                    dueNs = FOREVER;
                    cycle();
                }
            });
        }
    }

    private void cycle() {
        if (world.nowNs() < stoppedUntilNs) {
            wakeAfter(stoppedUntilNs - world.nowNs());
            return;
        }
        int work = core.conductor().doWork();
        String error = log.takeError();
        world.require(error == null, () -> "the log has an error: " + error);
        check.run();
        if (work > 0) {
            wake();
        }
    }
}
