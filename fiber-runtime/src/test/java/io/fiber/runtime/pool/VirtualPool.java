// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import io.fiber.FiberException;
import io.fiber.PoolState;
import io.fiber.PoolStatistics;
import io.fiber.runtime.eventloop.Conductor;
import io.fiber.runtime.pool.scheduling.MachineInside;
import io.fiber.runtime.pool.scheduling.PoolLimits;
import io.fiber.runtime.process.WorkerSupervisor;
import io.fiber.runtime.process.WorkerTitle;
import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.runtime.simulation.World;
import io.fiber.spec.Resources;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.Program;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** A pool of a simulation: the real driver and machine, and what must hold of their inside after each event. */
public final class VirtualPool {

    private final PoolDriver driver;
    private final MachineInside inside;
    private boolean terminated;

    /** Creates a pool of a supervisor, and makes it a duty of the conductor. */
    @SuppressWarnings("FutureReturnValueIgnored")
    public VirtualPool(
            World world, PoolLimits limits, WorkerSupervisor supervisor, Optional<SealedPayload> initializer) {
        JobSpec spec = JobSpec.builder(new Program.Command(List.of("worker"))).build();
        PoolNeeds needs = new PoolNeeds("pool", 1, Resources.unspecified(), (resources, workers) -> spec);
        needs.requireNothing();
        this.driver = new PoolDriver(
                new PoolDriver.Staff("pool", "worker", needs, Optional.empty(), initializer, VirtualPool::read),
                limits,
                supervisor);
        this.inside = new MachineInside(world, limits, driver.machine);
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
        inside.check();
    }

    /** Checks what must hold when it is gone: nothing is left of anything. */
    public void checkEnd() {
        inside.checkEnd();
    }
}
