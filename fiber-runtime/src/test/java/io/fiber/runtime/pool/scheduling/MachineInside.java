// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool.scheduling;

import io.fiber.PoolState;
import io.fiber.runtime.simulation.World;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** What must hold of the inside of a machine after each event of a simulation: nothing grows beyond its bound. */
public final class MachineInside {

    /** After so many losses of workers an item that never begins is given up. */
    public static final int GREATEST_LOST_UNBEGUN = TaskLedger.GREATEST_LOST_UNBEGUN;

    /** What a thread may hold beside the chunk that it was given last: so many chunks, bytes, and so much time. */
    private static final int MOST_CHUNKS = 512;

    private static final long MOST_BYTES = 512 << 10;
    private static final double MOST_NS = 50_000_000;
    private static final int CHECKS_FOR_A_LOOK = 16;

    private final World world;
    private final PoolLimits limits;
    private final PoolMachine machine;
    private int checks;

    /** Creates the checks of a machine. */
    public MachineInside(World world, PoolLimits limits, PoolMachine machine) {
        this.world = world;
        this.limits = limits;
        this.machine = machine;
    }

    /** Shows the sinks of the calls that may have items to hand out. */
    public static void eachSink(PoolMachine machine, Consumer<CallSink> action) {
        machine.dispatcher.turns.forEach(call -> action.accept(call.sink));
    }

    /** Shows how often items of a call have thrown that are not answered. */
    public static void eachTry(Call call, BiConsumer<Integer, Integer> action) {
        call.tries().forEach((index, tries) -> action.accept(index.intValue(), tries.failures.size()));
    }

    /** Tells whether chunks of a call are at workers. */
    public static boolean hasChunks(Call call) {
        return !call.held().isEmpty();
    }

    /** Checks what must hold after each event. */
    public void check() {
        Dispatcher dispatcher = machine.dispatcher;
        int workers = limits.workers();
        int most = Math.max(1, workers / 2);
        world.require(
                dispatcher.alone >= 0 && dispatcher.alone <= most,
                () -> dispatcher.alone + " workers run chunks alone, of " + workers);
        world.require(
                dispatcher.reserved >= 0 && dispatcher.reserved <= most,
                () -> dispatcher.reserved + " workers are reserved, of " + workers);
        // What waits was taken from a call for a worker, which refused it or gave it back; meanwhile no call gives
        // more.
        TaskLedger ledger = machine.ledger;
        int underWay = ledger.unsent.size() + ledger.assigned.size();
        world.require(
                underWay <= workers * limits.threads() * (MOST_CHUNKS + 1),
                () -> underWay + " chunks are at " + workers + " workers or wait for them");
        if (checks++ % CHECKS_FOR_A_LOOK == 0) {
            machine.registry.all().forEach(worker -> worker.slots.forEach(this::checkHeld));
        }
        world.require(
                machine.registry.ready >= 0 && machine.registry.ready <= workers,
                () -> machine.registry.ready + " workers are ready, of " + workers);
    }

    /** Before it was given its last chunk a thread had room: so memory does not grow with what is asked. */
    private void checkHeld(TaskSlot slot) {
        Chunk last = slot.held.peekLast();
        if (last != null && slot.held.size() > 1) {
            world.require(
                    slot.held.size() <= MOST_CHUNKS
                            && slot.heldBytes - last.items().payload().length() < MOST_BYTES
                            && slot.heldNs - last.expectedNs < MOST_NS + 1,
                    () -> "thread " + slot.number + " of worker " + slot.worker.number + " holds " + slot.held.size()
                            + " chunks of " + slot.heldBytes + " bytes and " + slot.heldNs + " ns");
        }
    }

    /** Checks what must hold when the pool is gone: nothing is left of anything. */
    public void checkEnd() {
        Dispatcher dispatcher = machine.dispatcher;
        TaskLedger ledger = machine.ledger;
        int free = dispatcher.free.idle.size() + dispatcher.free.busy.size();
        world.require(machine.state() == PoolState.TERMINATED, () -> "the pool is " + machine.state());
        world.require(ledger.assigned.size() == 0 && !ledger.hasAgain(), () -> "chunks are left in the ledger");
        world.require(
                dispatcher.turns.size() + ledger.unsent.size() + free + dispatcher.alone + dispatcher.reserved == 0,
                () -> "left: " + dispatcher.turns.size() + " calls, " + ledger.unsent.size() + " chunks, "
                        + free + " free threads, " + dispatcher.alone + " alone, "
                        + dispatcher.reserved + " reserved");
    }
}
