// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.simulation;

import io.fiber.runtime.pool.VirtualCaller;
import io.fiber.runtime.pool.VirtualPool;
import io.fiber.runtime.pool.scheduling.FairTurns;
import io.fiber.runtime.pool.scheduling.PoolLimits;
import io.fiber.runtime.protocol.PayloadOutput;
import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.runtime.serialization.Codecs;
import io.fiber.runtime.serialization.JavaSerializerProvider;
import io.fiber.runtime.serialization.Side;
import io.fiber.runtime.worker.VirtualWorker;
import io.fiber.spi.Options;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One session with one pool, from its first call to the end of its last job, under the faults that its seed gives it. After
 * each cycle of the master the promises are checked.
 */
public final class SessionSimulation implements VirtualWorker.Script {

    private static final Duration LEASE = Duration.ofSeconds(20);
    private static final long SECOND_NS = 1_000_000_000L;
    /** No schedule has more work than this, faults and starts included. */
    private static final long LONGEST_NS = 4 * 3600 * SECOND_NS;

    private static final long TERMINATE_LIMIT_NS = 45 * SECOND_NS;
    private static final long LAST_JOB_LIMIT_NS = 300 * SECOND_NS;
    private static final Codecs CODECS =
            Codecs.of(new JavaSerializerProvider(), Options.none(), Side.MASTER, UnaryOperator.identity());

    private final World world;
    private final int workers;
    private final int threads;
    private final SimulatedNetwork network;
    private final SimulatedCluster cluster;
    private final SimulatedMaster master;
    private final VirtualPool pool;
    private final Faults faults;
    private final List<CallScript> scripts = new ArrayList<>();
    private final List<VirtualCaller> callers = new ArrayList<>();
    private final boolean reliableStarts;
    private int deaths;
    /** How many workers were ended by what they were sent. */
    private int crashes;

    private long terminatedNs = Long.MAX_VALUE;

    /** Plans a session of at most {@code greatestWorkers} workers. */
    SessionSimulation(World world, int greatestWorkers, LogWatch log) {
        this.world = world;
        this.workers = size(greatestWorkers);
        Faults.Weather weather = world.chance(0.6)
                ? Faults.Weather.ROUGH
                : world.chance(0.5) ? Faults.Weather.MILD : Faults.Weather.CALM;
        this.network = new SimulatedNetwork(world, !world.chance(0.12));
        SimulatedCluster.Nature nature = nature(weather);
        this.reliableStarts = nature.failedStarts() + nature.rejections() == 0;
        this.cluster = new SimulatedCluster(world, nature, this::boot);
        this.master = new SimulatedMaster(
                world,
                new SimulatedMaster.Parts(
                        network, cluster, LEASE, world.random().nextLong(30, 90) * SECOND_NS, workers),
                log);
        PoolLimits limits = limits();
        this.threads = limits.threads();
        this.pool = new VirtualPool(world, limits, master.supervisor(), initializer());
        this.faults = new Faults(world, weather, cluster, master);
        planCalls(weather);
        world.tell(() -> workers + " workers, " + weather + ", " + nature + (network.isFar() ? ", far" : ", near"));
    }

    /** Few workers more often than many: every fourth time as many there are about half as often. */
    private int size(int greatest) {
        double root = 1 - world.random().nextDouble() * (1 - 1 / Math.sqrt(greatest + 1.0));
        return (int) Math.min(greatest, 1 / (root * root));
    }

    private SimulatedCluster.Nature nature(Faults.Weather weather) {
        boolean rough = weather == Faults.Weather.ROUGH;
        return new SimulatedCluster.Nature(
                world.chance(0.2) ? 30 * SECOND_NS : 200_000_000,
                world.chance(0.2) ? 20 * SECOND_NS : 500_000_000,
                rough && world.chance(0.3) ? world.random().nextDouble(0.5) : 0,
                rough && world.chance(0.1) ? world.random().nextDouble(0.3) : 0,
                world.chance(0.2) ? 20 * SECOND_NS : 5_000_000,
                rough && world.chance(0.2) ? world.random().nextDouble() : 0,
                workers);
    }

    private PoolLimits limits() {
        OptionalInt perChild = world.chance(0.2) ? OptionalInt.of(world.random().nextInt(1, 60)) : OptionalInt.empty();
        int threads = world.chance(0.3) ? world.random().nextInt(2, 9) : 1;
        return new PoolLimits(
                workers, threads, perChild, Math.max(4, 2 * workers), 100_000_000, 10 * SECOND_NS, Integer.MAX_VALUE);
    }

    private Optional<SealedPayload> initializer() {
        if (!world.chance(0.2)) {
            return Optional.empty();
        }
        PayloadOutput out = new PayloadOutput();
        CODECS.values().write("initializer", out);
        return Optional.of(master.seals().close(out.toPayload()));
    }

    private void planCalls(Faults.Weather weather) {
        double crashes = weather == Faults.Weather.ROUGH && world.chance(0.3)
                ? world.random().nextDouble(0.01)
                : 0;
        CallScript.Climate climate = new CallScript.Climate(weather == Faults.Weather.CALM, crashes);
        int most = workers > 30 ? workers * 5 : 250;
        int count = world.random().nextInt(1, 7);
        VirtualCaller.Session session =
                new VirtualCaller.Session(world, pool, CODECS, master.seals(), new FairTurns(world), master::command);
        for (int number = 1; number <= count; number++) {
            CallScript script = new CallScript(world, number, most, climate);
            scripts.add(script);
            callers.add(new VirtualCaller(session, script));
            world.tell(script::describe);
        }
    }

    private void boot(SimulatedJob job) {
        SimulatedProcess process = new SimulatedProcess(world, job, network, new SimulatedProcess.Setting(LEASE, this));
        process.onDeath(() -> deaths++);
        process.onCrash(() -> crashes++);
        job.runs(process);
    }

    @Override
    public VirtualWorker.Doing begin(Object function, @Nullable Object item, boolean announced) {
        return scripts.get((Integer) function - 1).begin(item, announced);
    }

    @Override
    public void announce(Object function, @Nullable Object item) {
        scripts.get((Integer) function - 1).announce(item);
    }

    @Override
    public boolean isLethal(Object function) {
        return scripts.get((Integer) function - 1).isLethal();
    }

    @Override
    public boolean endsOnArrival(Object function, @Nullable Object item) {
        return scripts.get((Integer) function - 1).endsOnArrival(item);
    }

    @Override
    public long initializerNs() {
        return world.between(1_000, SECOND_NS);
    }

    /** Runs until nothing is left. */
    void run() {
        try {
            begin();
            while (!pool.isTerminated()) {
                step(LONGEST_NS);
                checkTerminates();
            }
            long limitNs = world.ageNs() + LAST_JOB_LIMIT_NS;
            while (master.supervisor().size() > 0
                    || !cluster.isEmpty()
                    || !callers.stream().allMatch(VirtualCaller::isOver)) {
                step(limitNs);
            }
            checkEnd();
        } catch (RuntimeException e) {
            throw world.broken("an exception: " + e, e);
        }
    }

    private void begin() {
        pool.join(master.conductor());
        master.afterEachCycle(this::check);
        for (VirtualCaller caller : callers) {
            world.later(world.between(0, 5 * SECOND_NS), () -> {
                caller.submit();
                if (world.chance(0.15)) {
                    world.later(world.between(0, 5 * SECOND_NS), caller::cancel);
                }
            });
        }
        faults.begin();
        boolean gently = world.chance(0.8);
        world.later(5 * SECOND_NS + world.between(0, 30 * SECOND_NS), () -> end(gently));
    }

    private void end(boolean gently) {
        world.tell(() -> gently ? "shutdown" : "terminate");
        if (gently) {
            master.command(pool::shutdown);
            return;
        }
        master.command(() -> {
            terminatedNs = world.nowNs();
            pool.terminate();
        });
    }

    private void step(long limitNs) {
        world.require(world.step(), () -> "nothing happens any more; the pool is " + pool.state());
        world.require(
                world.ageNs() < limitNs,
                () -> "it does not end: the pool is " + pool.state() + ", "
                        + master.supervisor().size() + " workers and "
                        + cluster.living().size() + " jobs are left");
    }

    private void checkTerminates() {
        if (terminatedNs != Long.MAX_VALUE && faults.weather() != Faults.Weather.ROUGH) {
            world.require(
                    world.nowNs() - terminatedNs < TERMINATE_LIMIT_NS + faults.suspendedNs(),
                    () -> "it was terminated and goes on");
        }
    }

    private void check() {
        pool.check();
        world.require(
                master.supervisor().size() <= workers,
                () -> master.supervisor().size() + " workers at one time, of " + workers);
        callers.forEach(VirtualCaller::check);
        world.require(
                !reliableStarts
                        || faults.weather() == Faults.Weather.ROUGH
                        || pool.statistics().workersLost() <= deaths,
                () -> pool.statistics().workersLost() + " workers are lost, of which " + deaths + " have died");
    }

    private void checkEnd() {
        pool.checkEnd();
        network.checkEnd();
        callers.forEach(VirtualCaller::checkEnd);
        checkCrashes();
    }

    /** What ends its workers ends no more of them than the promise says, and so no more are started. */
    private void checkCrashes() {
        if (faults.weather() == Faults.Weather.CALM) {
            long most = scripts.stream()
                    .mapToLong(script -> script.greatestCrashes(workers, threads))
                    .sum();
            world.require(
                    crashes <= most,
                    () -> crashes + " workers were ended by what they were sent, " + most + " may be at most");
        }
    }

    int workers() {
        return workers;
    }

    String story() {
        return world.story();
    }
}
