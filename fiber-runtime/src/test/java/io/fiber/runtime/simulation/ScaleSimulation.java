// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.simulation;

import static java.util.Objects.requireNonNull;

import io.fiber.runtime.pool.TimedCaller;
import io.fiber.runtime.pool.VirtualPool;
import io.fiber.runtime.pool.scheduling.PoolLimits;
import io.fiber.runtime.serialization.Codecs;
import io.fiber.runtime.serialization.JavaSerializerProvider;
import io.fiber.runtime.serialization.Side;
import io.fiber.runtime.worker.VirtualWorker;
import io.fiber.spi.Options;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A session with many workers that never fail. The tasks take virtual time and the workers none; what the master's two
 * threads do, the conductor and the caller, takes as long as it really takes the processor.
 */
final class ScaleSimulation implements VirtualWorker.Script {

    private static final long BOOT_NS = 500_000_000;
    private static final long TELL_NS = 5_000_000;
    private static final Codecs CODECS =
            Codecs.of(new JavaSerializerProvider(), Options.none(), Side.MASTER, UnaryOperator.identity());

    private final World world;
    private final int workers;
    private final SteadyNetwork network;
    private final TimedMaster master;
    private final VirtualPool pool;
    private final TimedThread callerThread;
    private final TimedCaller caller;
    private boolean done;

    /**
     * What a step took.
     *
     * @param elapsedNs virtual time
     * @param conductorNs processor time of the master's conductor
     * @param callerNs processor time of the master's thread that called
     * @param cycles how many cycles the conductor ran
     * @param frames how many frames were sent, in either direction
     */
    record Figures(long elapsedNs, long conductorNs, long callerNs, long cycles, long frames) {
        private Figures minus(Figures before) {
            return new Figures(
                    elapsedNs - before.elapsedNs,
                    conductorNs - before.conductorNs,
                    callerNs - before.callerNs,
                    cycles - before.cycles,
                    frames - before.frames);
        }
    }

    /** Plans a session; it starts with {@link #start}. */
    ScaleSimulation(int workers, LogWatch log) {
        this.world = new World(workers, World.Memory.NONE);
        this.workers = workers;
        this.network = new SteadyNetwork(world);
        SimulatedCluster cluster =
                new SimulatedCluster(world, new SimulatedCluster.Nature(0, BOOT_NS, 0, 0, TELL_NS, 0, workers), job -> {
                    new TimedWorker(world, job, network, this);
                });
        this.master = new TimedMaster(world, network, cluster, log);
        this.pool = new VirtualPool(
                world,
                new PoolLimits(
                        workers, 1, OptionalInt.empty(), 2 * workers, 100_000_000, 10_000_000_000L, Integer.MAX_VALUE),
                master.core().supervisor(),
                Optional.empty());
        this.callerThread = new TimedThread(world);
        this.caller = new TimedCaller(
                pool, CODECS, new TimedCaller.Threads(master.core().seals(), master::command, callerThread::submit));
    }

    /** Starts all workers. */
    Figures start() {
        pool.join(master.conductor());
        return until(() -> caller.awaitReady(this::done));
    }

    /** Maps a function that takes this long over so many ints; chunks have this size, by default the one that Fiber chooses. */
    Figures map(long taskNs, int tasks, OptionalInt chunkSize) {
        return until(() -> caller.map(taskNs, tasks, chunkSize.orElse(0), this::done));
    }

    /** Called by a thread in the middle of what it runs. */
    private void done() {
        world.later(0, () -> done = true);
    }

    private Figures until(Runnable step) {
        done = false;
        Figures before = now();
        callerThread.submit(step);
        while (!done) {
            world.require(world.step(), () -> "nothing happens any more; the pool is " + pool.state());
        }
        world.require(
                pool.statistics().workersLost() == 0,
                () -> pool.statistics().workersLost() + " of " + workers + " workers are lost");
        return now().minus(before);
    }

    private Figures now() {
        return new Figures(world.ageNs(), master.busyNs(), callerThread.busyNs(), master.cycles(), network.frames());
    }

    /** Forgets the workers, so that what is left in memory is the master. */
    void forgetWorkers() {
        world.end();
        network.forgetFarEnds();
    }

    @Override
    public VirtualWorker.Doing begin(Object function, @Nullable Object item, boolean announced) {
        return new VirtualWorker.Doing((Long) function, false, requireNonNull(item));
    }

    @Override
    public void announce(Object function, @Nullable Object item) {
        throw new AssertionError("no worker is lost here");
    }

    @Override
    public boolean isLethal(Object function) {
        return false;
    }

    @Override
    public boolean endsOnArrival(Object function, @Nullable Object item) {
        return false;
    }

    @Override
    public long initializerNs() {
        return 0;
    }
}
