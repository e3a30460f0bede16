// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.simulation;

import io.fiber.runtime.eventloop.Conductor;
import io.fiber.runtime.worker.VirtualWorker;
import io.fiber.spec.EndCause;
import io.fiber.spi.transport.LinkState;
import java.time.Duration;

/**
 * A worker's process: its conductor, which runs when something has come, now and then, and never while the process is
 * stopped; and its death.
 */
final class SimulatedProcess implements VirtualWorker.Host {

    /** Below a tenth of the lease: a later cycle counts as late. */
    private static final long TICK_NS = 1_000_000_000L;

    /** A master awaits the last words of a process that has ended for a second, of which its cycles take some. */
    private static final long LAST_WORDS_NS = 700_000_000;

    private static final long CYCLE_NS = 5_000;

    private final World world;
    private final SimulatedJob job;
    private final SimulatedNetwork network;
    private final Wire wire;
    private final Conductor conductor;
    private final VirtualWorker worker;
    private final long leaseNs;
    private long lastHeardNs;
    private long excusedNs;
    private long delivered;
    private boolean cycleIsDue;
    private Runnable onDeath = () -> {};
    private Runnable onCrash = () -> {};
    private final Lifetime life;

    SimulatedProcess(World world, SimulatedJob job, SimulatedNetwork network, Setting setting) {
        this.world = world;
        this.job = job;
        this.network = network;
        this.leaseNs = setting.lease.toNanos();
        this.life = new Lifetime(world);
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

    /** Says who is told when what it was sent ends it. */
    void onCrash(Runnable told) {
        onCrash = told;
    }

    boolean isDead() {
        return life.isOver();
    }

    /** Stops it, as SIGSTOP does. */
    void stop(long forNs) {
        life.stop(forNs);
        excusedNs += forNs;
    }

    private void tick() {
        if (!life.isOver()) {
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
                life.isOver() || silentNs < leaseNs * 2,
                () -> name() + " lives on, though it has heard nothing for " + silentNs / 1_000_000 + " ms");
    }

    private void news() {
        if (!life.isOver()) {
            cycleSoon();
        }
    }

    private void cycleSoon() {
        if (!cycleIsDue) {
            cycleIsDue = true;
            later(CYCLE_NS, () -> {
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
        life.later(delayNs, action);
    }

    @Override
    public void conduct() {
        if (!life.isOver() && conductor.doWork() > 0 && !life.isOver()) {
            cycleSoon();
        }
    }

    @Override
    public void exit(int code) {
        if (!life.isOver()) {
            world.tell(() -> name() + " exits with " + code);
            end();
            if (wire.isMasterDeafFor(LAST_WORDS_NS)) {
                onDeath.run();
            }
            worker.dies();
            wire.worker().leave();
            job.exited(code);
            network.forget(wire);
        }
    }

    /** What will still happen to its connection and its job need not keep it in memory. */
    private void end() {
        life.end();
        wire.worker().onNews(() -> {});
        job.runs(null);
    }

    @Override
    public void crash(String how) {
        if (!life.isOver()) {
            onCrash.run();
            die(how);
            job.killed(EndCause.SIGNALLED);
        }
    }

    /** Ends at once. Its connection may end at once as well, or be found silent. */
    void die(String how) {
        if (life.isOver()) {
            return;
        }
        end();
        onDeath.run();
        world.tell(() -> name() + " dies: " + how);
        worker.dies();
        network.loseWorker(wire);
    }
}
