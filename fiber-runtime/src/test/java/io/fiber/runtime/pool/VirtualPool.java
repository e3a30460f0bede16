// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import io.fiber.FiberException;
import io.fiber.PoolState;
import io.fiber.PoolStatistics;
import io.fiber.runtime.eventloop.Conductor;
import io.fiber.runtime.process.WorkerSupervisor;
import io.fiber.runtime.process.WorkerTitle;
import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.runtime.simulation.World;
import io.fiber.spi.Resources;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.Program;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** A pool of a simulation: the real driver and machine, and what must hold of their inside after each event. */
public final class VirtualPool {

    /** What a thread may hold beside the chunk that it was given last: so many chunks, bytes, and so much time. */
    private static final int MOST_CHUNKS = 512;

    private static final long MOST_BYTES = 512 << 10;
    private static final double MOST_NS = 50_000_000;
    private static final int CHECKS_FOR_A_LOOK = 16;

    private final PoolDriver driver;
    private final PoolLimits limits;
    private final World world;
    private boolean terminated;
    private int checks;

    /** Creates a pool of a supervisor, and makes it a duty of the conductor. */
    @SuppressWarnings("FutureReturnValueIgnored")
    public VirtualPool(
            World world, PoolLimits limits, WorkerSupervisor supervisor, Optional<SealedPayload> initializer) {
        this.world = world;
        this.limits = limits;
        JobSpec spec = JobSpec.builder(new Program.Command(List.of("worker"))).build();
        PoolNeeds needs = new PoolNeeds("pool", 1, Resources.unspecified(), (resources, workers) -> spec);
        needs.requireNothing();
        this.driver = new PoolDriver(
                new PoolDriver.Staff("pool", "worker", needs, Optional.empty(), initializer, VirtualPool::read),
                limits,
                supervisor);
        driver.terminated.thenRun(() -> {
            world.require(!terminated, () -> "the pool is terminated twice");
            terminated = true;
        });
    }

    private static void read(WorkerTitle worker, SealedPayload failure, Consumer<FiberException> then) {
        then.accept(new FiberException("FBR-401", "The initializer of " + worker + " threw."));
    }

    /** Has a conductor run it. */
    public void join(Conductor conductor) {
        conductor.execute(() -> conductor.addDuty(driver));
    }

    PoolDriver driver() {
        return driver;
    }

    /** Tells whether the last worker is gone. */
    public boolean isTerminated() {
        return terminated;
    }

    /** Returns where it stands. */
    public PoolState state() {
        return driver.state();
    }

    /** Takes no more calls. Called by the conductor. */
    public void shutdown() {
        driver.machine.onShutdown();
    }

    /** Ends all calls. Called by the conductor. */
    public void terminate() {
        driver.machine.onTerminate();
    }

    /** Returns what it has counted. */
    public PoolStatistics statistics() {
        return driver.count();
    }

    /** Checks what must hold after each event: nothing grows beyond its bound. */
    public void check() {
        Dispatcher dispatcher = driver.machine.dispatcher;
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
        TaskLedger ledger = driver.machine.ledger;
        int underWay = ledger.unsent.size() + ledger.assigned.size();
        world.require(
                underWay <= workers * limits.threads() * (MOST_CHUNKS + 1),
                () -> underWay + " chunks are at " + workers + " workers or wait for them");
        if (checks++ % CHECKS_FOR_A_LOOK == 0) {
            driver.machine.registry.all().forEach(worker -> worker.slots.forEach(this::checkHeld));
        }
        world.require(
                driver.machine.registry.ready >= 0 && driver.machine.registry.ready <= workers,
                () -> driver.machine.registry.ready + " workers are ready, of " + workers);
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

    /** Checks what must hold when it is gone: nothing is left of anything. */
    public void checkEnd() {
        Dispatcher dispatcher = driver.machine.dispatcher;
        TaskLedger ledger = driver.machine.ledger;
        int free = dispatcher.free.idle.size() + dispatcher.free.busy.size();
        world.require(driver.machine.state() == PoolState.TERMINATED, () -> "the pool is " + state());
        world.require(ledger.assigned.size() == 0 && !ledger.hasAgain(), () -> "chunks are left in the ledger");
        world.require(
                dispatcher.turns.size() + ledger.unsent.size() + free + dispatcher.alone + dispatcher.reserved == 0,
                () -> "left: " + dispatcher.turns.size() + " calls, " + ledger.unsent.size() + " chunks, "
                        + free + " free threads, " + dispatcher.alone + " alone, "
                        + dispatcher.reserved + " reserved");
    }
}
