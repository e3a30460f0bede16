// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.simulation;

import io.fiber.runtime.conductor.Conductor;
import io.fiber.runtime.worker.VirtualWorker;
import io.fiber.spi.transport.LinkState;
import java.time.Duration;

/**
 * A worker's process: its conductor, which runs when something has come, now and then, and never while the process is
 * stopped; and its death.
 */
final class SimulatedProcess implements VirtualWorker.Host {

    /** Below a tenth of the lease: a later cycle counts as late. */
    private static final long TICK_NS = 1_000_000_000L;

    private static final long STAND_BY_NS = 10_000_000;
    private static final long CYCLE_NS = 5_000;

    private final World world;
    private final SimulatedJob job;
    private final SimulatedNetwork network;
    private final Wire wire;
    private final Conductor conductor;
    private final VirtualWorker worker;
    private final long leaseNs;
    private long stoppedUntilNs = Long.MIN_VALUE;
    private long lastHeardNs;
    private long excusedNs;
    private long delivered;
    private boolean cycleIsDue;
    private Runnable onDeath = () -> {};
    private boolean dead;

    SimulatedProcess(World world, SimulatedJob job, SimulatedNetwork network, Setting setting) {
        this.world = world;
        this.job = job;
        this.network = network;
        this.leaseNs = setting.lease.toNanos();
        this.conductor = new Conductor("worker", world::nowNs, setting.lease);
        this.worker = new VirtualWorker(this, job.instance().bootstrap(), setting.script);
        this.wire = network.wire(worker.address());
        this.lastHeardNs = world.nowNs();
        wire.worker().onNews(this::news);
        worker.greet(conductor, network.dial(worker.address()));
        tick();
    }

    /** What every process of a session has in common. */
    record Setting(Duration lease, VirtualWorker.Script script) {}

    Wire wire() {
        return wire;
    }

    String name() {
        return job.name();
    }

    /** Says who is told when it does not end by its own will, or so that its master cannot hear its last words. */
    void onDeath(Runnable told) {
        onDeath = told;
    }

    boolean isDead() {
        return dead;
    }

    /** Stops it, as SIGSTOP does. */
    void stop(long forNs) {
        stoppedUntilNs = Math.max(stoppedUntilNs, world.nowNs() + forNs);
        excusedNs += forNs;
    }

    private void tick() {
        if (!dead) {
            later(TICK_NS, this::tick);
            conduct();
            keepsLease();
        }
    }

    /** Promise 5: a worker whose master cannot be heard ends by itself. */
    private void keepsLease() {
        if (wire.worker().delivered() > delivered || wire.worker().state() == LinkState.CONNECTING) {
            delivered = wire.worker().delivered();
            lastHeardNs = world.nowNs();
            excusedNs = 0;
        }
        long silentNs = world.nowNs() - lastHeardNs - excusedNs;
        world.require(
                dead || silentNs < leaseNs * 2,
                () -> name() + " lives on, though it has heard nothing for " + silentNs / 1_000_000 + " ms");
    }

    private void news() {
        if (dead) {
            return;
        }
        if (worker.isBusy()) {
            dueCycle(STAND_BY_NS);
        } else {
            dueCycle(CYCLE_NS);
        }
    }

    private void dueCycle(long delayNs) {
        if (!cycleIsDue) {
            cycleIsDue = true;
            later(delayNs, () -> {
                cycleIsDue = false;
                conduct();
            });
        }
    }

    @Override
    public long nowNs() {
        return world.nowNs();
    }

    @Override
    public void later(long delayNs, Runnable action) {
        world.later(delayNs, () -> runUnlessStopped(action));
    }

    private void runUnlessStopped(Runnable action) {
        if (dead) {
            return;
        }
        if (world.nowNs() < stoppedUntilNs) {
            world.later(stoppedUntilNs - world.nowNs(), () -> runUnlessStopped(action));
        } else {
            action.run();
        }
    }

    @Override
    public void conduct() {
        if (!dead && conductor.doWork() > 0 && !dead) {
            if (worker.isBusy()) {
                dueCycle(STAND_BY_NS);
            } else {
                dueCycle(CYCLE_NS);
            }
        }
    }

    @Override
    public long framesOffered() {
        return wire.worker().offered();
    }

    /** Tells whether the master has read so many frames of this worker. */
    @Override
    public boolean isRead(long frames) {
        return wire.master().delivered() >= frames;
    }

    @Override
    public void exit(int code) {
        if (!dead) {
            world.tell(() -> name() + " exits with " + code);
            dead = true;
            if (wire.isMasterDeaf()) {
                onDeath.run();
            }
            worker.dies();
            wire.worker().close();
            job.exited(code);
            network.forget(wire);
        }
    }

    @Override
    public void crash(String how) {
        if (!dead) {
            die(how);
            job.killed(io.fiber.spi.backend.JobTermination.Cause.SIGNALLED);
        }
    }

    /** Ends at once. Its connection may end at once as well, or be found silent. */
    void die(String how) {
        if (dead) {
            return;
        }
        dead = true;
        onDeath.run();
        world.tell(() -> name() + " dies: " + how);
        worker.dies();
        if (network.isFar()) {
            wire.loseWhatTheWorkerSent(world.random().nextInt(8));
            wire.master().closeAfter(world.between(1_000_000, Wire.IMAGE_LIFE_NS), "the image ended");
        } else {
            wire.master().closeAfter(world.between(1_000, 50_000_000), "the process is gone");
        }
        network.forget(wire);
    }
}
