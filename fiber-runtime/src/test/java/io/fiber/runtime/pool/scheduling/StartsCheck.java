// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool.scheduling;

import io.fiber.PoolState;
import java.util.Collection;

/** Whether a simulated pool ends by failed starts when it must, and only then. */
final class StartsCheck {

    private final PoolSimulation simulation;
    private final Collection<SimulatedWorker> workers;
    private int failuresInARow;
    /** Those that are less were started before the first of the failures in a row. */
    private int firstInPlaceOfFailed;

    StartsCheck(PoolSimulation simulation, Collection<SimulatedWorker> workers) {
        this.simulation = simulation;
        this.workers = workers;
    }

    void succeeded() {
        failuresInARow = 0;
    }

    /** A start fails; {@code tell} says so to the pool. */
    void failed(SimulatedWorker worker, Runnable tell) {
        if (failuresInARow == 0) {
            firstInPlaceOfFailed =
                    workers.stream().mapToInt(other -> other.number).max().orElse(0) + 1;
        }
        failuresInARow += worker.killed ? 0 : 1;
        boolean wasSound = simulation.machine.cause().isEmpty();
        tell.run();
        simulation.require(
                wasSound == simulation.machine.cause().isEmpty() || staying() == 0,
                "the pool ends by failed starts, and %s workers are up",
                staying());
        simulation.require(
                failuresInARow < simulation.limits.maxFailedStarts()
                        || up() > 0
                        || isAnyOnItsWay(worker)
                        || simulation.machine.state() == PoolState.TERMINATING,
                "%s starts failed in a row, none is up or on its way, and the pool goes on",
                failuresInARow);
    }

    /** A worker is gone, and not among the others any more. */
    void gone(SimulatedWorker worker) {
        if (worker.ready && up() == 0) {
            failuresInARow = 0;
        }
    }

    void goesOn(int with) {
        simulation.require(with > 0 && with <= up(), "goes on with %s workers", with);
    }

    private boolean isAnyOnItsWay(SimulatedWorker failed) {
        return workers.stream()
                .anyMatch(other -> other != failed && !other.ready && other.number < firstInPlaceOfFailed);
    }

    private long up() {
        return workers.stream().filter(worker -> worker.ready).count();
    }

    /** Returns how many are up that the pool has not ended by force: it may have done so before it heard that one was. */
    private long staying() {
        return workers.stream().filter(worker -> worker.ready && !worker.killed).count();
    }
}
