// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.simulation;

import io.fiber.runtime.eventloop.Conductor;
import io.fiber.runtime.worker.VirtualWorker;

/**
 * A worker's process whose own work takes no time, except that its I/O thread wakes when a frame has come.
 */
final class TimedWorker implements VirtualWorker.Host {

    /** Heartbeats are due less often. */
    private static final long TICK_NS = 1_000_000_000L;
    /** What its I/O thread takes to wake. */
    private static final long WAKE_NS = 20_000;

    private final World world;
    private final SimulatedJob job;
    private final VirtualWorker worker;
    private final Conductor conductor;
    private long dueNs = Long.MAX_VALUE;

    TimedWorker(World world, SimulatedJob job, SteadyNetwork network, VirtualWorker.Script script) {
        this.world = world;
        this.job = job;
        this.conductor = new Conductor("worker", world::nowNs, TimedMaster.LEASE);
        this.worker = new VirtualWorker(this, job.instance().bootstrap(), script);
        SteadyNetwork.End link = network.dial(worker.address());
        link.onNews(this::lookInTime);
        worker.greet(conductor, link);
        tick();
    }

    private void tick() {
        later(TICK_NS, this::tick);
        conduct();
    }

    private void lookInTime() {
        lookAfter(WAKE_NS);
    }

    private void lookAfter(long delayNs) {
        long atNs = world.nowNs() + delayNs;
        if (atNs < dueNs) {
            dueNs = atNs;
            later(delayNs, () -> {
                if (dueNs == atNs) {
                    dueNs = Long.MAX_VALUE;
                    conduct();
                }
            });
        }
    }

    @Override
    public long nowNs() {
        return world.nowNs();
    }

    @Override
    public void later(long delayNs, Runnable action) {
        world.later(delayNs, action);
    }

    @Override
    public void conduct() {
        if (conductor.doWork() > 0) {
            lookInTime();
        }
    }

    @Override
    public void exit(int code) {
        throw new AssertionError(job.name() + " exits with " + code);
    }

    @Override
    public void crash(String how) {
        throw new AssertionError(job.name() + " ends: " + how);
    }
}
