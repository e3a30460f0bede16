// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.simulation;

import io.fiber.spec.EndCause;
import java.util.ArrayList;
import java.util.List;

/** What goes wrong in a simulated session: when, and to whom. */
final class Faults {

    private static final long SECOND_NS = 1_000_000_000L;
    /** In mild weather nothing lasts as long as a lease, and what went wrong is over before more does. */
    private static final long MILD_NS = 15 * SECOND_NS;

    private static final long MILD_PAUSE_NS = 25 * SECOND_NS;

    /** How bad it is. */
    enum Weather {
        /** Nothing goes wrong. */
        CALM,
        /** Short interruptions, one at a time: no worker may be lost by them. */
        MILD,
        /** Anything, for a while. */
        ROUGH
    }

    private final World world;
    private final Weather weather;
    private final SimulatedCluster cluster;
    private final SimulatedMaster master;
    private final long endNs;
    private final long paceNs;
    private long lastedNs;
    private long suspendedNs;
    private final List<Runnable> kinds = new ArrayList<>();

    Faults(World world, Weather weather, SimulatedCluster cluster, SimulatedMaster master) {
        this.world = world;
        this.weather = weather;
        this.cluster = cluster;
        this.master = master;
        this.endNs = world.nowNs() + world.between(SECOND_NS, 60 * SECOND_NS);
        this.paceNs = weather == Weather.MILD ? MILD_PAUSE_NS : world.between(10_000_000, 5 * SECOND_NS);
    }

    Weather weather() {
        return weather;
    }

    /** Returns when the last of them begins. */
    long endNs() {
        return endNs;
    }

    /** Chooses some kinds, and lets them happen again and again. */
    void begin() {
        if (weather == Weather.CALM) {
            return;
        }
        List<Runnable> all = weather == Weather.MILD ? mild() : rough();
        for (Runnable kind : all) {
            if (world.chance(0.4)) {
                kinds.add(kind);
            }
        }
        if (!kinds.isEmpty()) {
            world.later(world.between(0, 5 * SECOND_NS), this::next);
        }
    }

    private void next() {
        if (world.nowNs() < endNs) {
            lastedNs = 0;
            kinds.get(world.random().nextInt(kinds.size())).run();
            world.later(weather == Weather.MILD ? paceNs + lastedNs : world.between(paceNs / 10, paceNs), this::next);
        }
    }

    private List<Runnable> mild() {
        return List.of(
                () -> cutSome(world.between(SECOND_NS, 8 * SECOND_NS)),
                () -> stopMaster(world.between(SECOND_NS, MILD_NS)),
                () -> stopSome(world.between(SECOND_NS, MILD_NS)),
                () -> fillSome(world.between(SECOND_NS, 8 * SECOND_NS)),
                () -> outage(world.between(SECOND_NS, 20 * SECOND_NS)),
                () -> suspend(world.between(SECOND_NS, 300 * SECOND_NS)));
    }

    private List<Runnable> rough() {
        return List.of(
                () -> cutSome(world.between(SECOND_NS, 90 * SECOND_NS)),
                () -> deafenSome(world.between(SECOND_NS, 90 * SECOND_NS)),
                () -> stopMaster(world.between(1_000_000, world.chance(0.1) ? 60 * SECOND_NS : MILD_NS)),
                () -> stopSome(world.between(1_000_000, 60 * SECOND_NS)),
                () -> fillSome(world.between(1_000_000, 2 * SECOND_NS)),
                () -> outage(world.between(SECOND_NS, 60 * SECOND_NS)),
                () -> some(0.2).forEach(job -> job.killed(EndCause.SIGNALLED)),
                () -> some(0.1).forEach(job -> job.killed(EndCause.NODE_LOST)),
                () -> some(0.1).forEach(job -> job.preempt(world.between(0, 30 * SECOND_NS))),
                () -> some(0.05).forEach(SimulatedJob::vanish),
                this::sever);
    }

    private List<SimulatedJob> some(double share) {
        List<SimulatedJob> chosen = new ArrayList<>();
        for (SimulatedJob job : cluster.living()) {
            if (world.chance(share)) {
                chosen.add(job);
            }
        }
        return chosen;
    }

    private List<SimulatedProcess> someProcesses() {
        List<SimulatedProcess> chosen = new ArrayList<>();
        for (SimulatedJob job : some(world.chance(0.2) ? 1 : 0.3)) {
            SimulatedProcess process = job.process();
            if (process != null && !process.isDead()) {
                chosen.add(process);
            }
        }
        return chosen;
    }

    private void cutSome(long forNs) {
        for (SimulatedProcess process : someProcesses()) {
            world.tell(() -> process.name() + " is cut off for " + forNs / 1_000_000 + " ms");
            process.wire().cut(forNs);
        }
    }

    /** A network that has failed in one direction. */
    private void deafenSome(long forNs) {
        boolean masterHears = world.chance(0.5);
        for (SimulatedProcess process : someProcesses()) {
            world.tell(() -> (masterHears ? process.name() : "the master of " + process.name()) + " is deaf for "
                    + forNs / 1_000_000 + " ms");
            (masterHears ? process.wire().worker() : process.wire().master()).deafen(forNs);
        }
    }

    private void fillSome(long forNs) {
        for (SimulatedProcess process : someProcesses()) {
            world.tell(() -> "the ways of " + process.name() + " are full for " + forNs / 1_000_000 + " ms");
            process.wire().master().fill(forNs);
            if (world.chance(0.5)) {
                process.wire().worker().fill(forNs);
            }
        }
    }

    private void stopSome(long forNs) {
        for (SimulatedProcess process : someProcesses()) {
            world.tell(() -> process.name() + " is stopped for " + forNs / 1_000_000 + " ms");
            process.stop(forNs);
        }
    }

    private void stopMaster(long forNs) {
        world.tell(() -> "the master is stopped for " + forNs / 1_000_000 + " ms");
        master.stop(forNs);
    }

    /** The whole host sleeps: nobody was silent, and nobody may be given up. */
    private void suspend(long forNs) {
        world.tell(() -> "everything is stopped for " + forNs / 1_000_000 + " ms");
        lastedNs = forNs;
        suspendedNs += forNs;
        master.stop(forNs);
        for (SimulatedJob job : cluster.living()) {
            SimulatedProcess process = job.process();
            if (process != null) {
                process.stop(forNs);
            }
        }
    }

    /** Returns how long everything was stopped in all. */
    long suspendedNs() {
        return suspendedNs;
    }

    private void outage(long forNs) {
        world.tell(() -> "the platform does not answer for " + forNs / 1_000_000 + " ms");
        cluster.outage(forNs);
    }

    private void sever() {
        for (SimulatedProcess process : someProcesses()) {
            world.tell(() -> "the link of " + process.name() + " ends");
            process.wire().master().closeAfter(world.between(0, SECOND_NS), "the image ended");
            process.wire().worker().closeAfter(world.between(0, SECOND_NS), "the image ended");
        }
    }
}
