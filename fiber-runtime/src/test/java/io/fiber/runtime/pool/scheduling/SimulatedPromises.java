// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool.scheduling;

import io.fiber.PoolState;

/** What must hold after each event of a simulation, and at its end. */
final class SimulatedPromises {

    private final PoolSimulation world;

    SimulatedPromises(PoolSimulation world) {
        this.world = world;
    }

    void check() {
        Dispatcher dispatcher = world.machine.dispatcher;
        int believed = 0;
        int alone = 0;
        boolean idle = false;
        boolean idleThread = false;
        for (SimulatedWorker worker : world.workers.values()) {
            SimulatedWorker.Task first = worker.believed.peek();
            believed += worker.believed.size();
            boolean runsAlone = first != null && first.alone;
            alone += runsAlone ? 1 : 0;
            boolean isAble = worker.ready && !worker.drained && !worker.killed && world.nowNs >= worker.fullUntilNs;
            idle |= first == null && isAble;
            idleThread |= isAble && !runsAlone && worker.hasIdleSlot() && !isReserved(worker);
        }
        world.require(
                world.machine.ledger.assigned.size() == believed,
                "%s chunks in the ledger, %s at workers",
                world.machine.ledger.assigned.size(),
                believed);
        int most = Math.max(1, world.limits.workers() / 2);
        world.require(dispatcher.alone == alone && alone <= most, "alone %s, counted %s", alone, dispatcher.alone);
        world.require(dispatcher.reserved >= 0 && dispatcher.reserved <= most, "reserved %s", dispatcher.reserved);
        for (SimulatedCall call : world.calls) {
            world.require(
                    call.isOver() || call.room || call.call().source.known() >= call.knownWhenFull,
                    "items of call %s were taken, and there is no room for their results",
                    call.plan.number());
        }
        world.require(
                !idle || alone == most || !world.machine.ledger.hasAgain(), "a lost chunk waits beside an idle worker");
        if (idleThread) {
            world.require(world.machine.ledger.unsent.size() == 0, "a chunk waits beside an idle thread");
            for (SimulatedCall call : world.calls) {
                world.require(!isWaiting(call), "items of call %s wait beside an idle thread", call.plan.number());
            }
        }
    }

    private boolean isReserved(SimulatedWorker worker) {
        for (WorkerSlot slot : world.machine.registry.all()) {
            if (slot.number == worker.number) {
                return slot.reserved;
            }
        }
        return false;
    }

    private boolean isWaiting(SimulatedCall call) {
        return call.isMade()
                && !call.isOver()
                && call.room
                && call.call().source.known() > 0
                && !Trials.mayWait(call.call(), world.nowNs);
    }

    void checkEnd() {
        world.require(world.workers.isEmpty(), "workers are left");
        for (SimulatedCall call : world.calls) {
            world.require(!call.isMade() || call.isOver(), "call %s never ended", call.plan.number());
            world.require(!call.isMade() || !call.call().function.isInUse(), "a function is kept");
        }
        Dispatcher dispatcher = world.machine.dispatcher;
        world.require(
                dispatcher.turns.size()
                                + world.machine.ledger.unsent.size()
                                + dispatcher.free.idle.size()
                                + dispatcher.free.busy.size()
                                + dispatcher.alone
                                + dispatcher.reserved
                        == 0,
                "something is left in a queue");
        world.require(world.machine.ledger.assigned.size() == 0 && !world.machine.ledger.hasAgain(), "chunks are left");
        world.require(
                world.machine.statistics().duplicatesIgnored() == world.lateAnswers,
                "%s late answers counted",
                world.machine.statistics().duplicatesIgnored());
        world.require(world.machine.state() == PoolState.TERMINATED, "the pool is %s", world.machine.state());
    }
}
