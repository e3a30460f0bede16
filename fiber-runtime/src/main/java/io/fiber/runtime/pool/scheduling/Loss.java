// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool.scheduling;

import io.fiber.FiberException;
import io.fiber.PoolBrokenException;
import io.fiber.ProcessStartException;
import io.fiber.ProcessState;
import io.fiber.WorkerLostException;
import io.fiber.WorkersMissingException;
import io.fiber.runtime.process.ProcessEnd;
import io.fiber.runtime.process.WorkerTitle;
import io.fiber.spi.backend.JobTermination.Cause;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * How a worker was lost.
 *
 * @param thrown what its initializer threw
 */
public record Loss(WorkerTitle worker, ProcessEnd end, Stage stage, Optional<FiberException> thrown) {

    /** Creates the loss of a worker with what it had begun. */
    public Loss(WorkerTitle worker, ProcessEnd end) {
        this(worker, end, Stage.BEGUN, Optional.empty());
    }

    /** Returns the same loss, for something with which the worker had come so far. */
    public Loss at(Stage other) {
        return new Loss(worker, end, other, thrown);
    }

    /** Returns the same loss, of a worker whose initializer threw. */
    public Loss by(FiberException initializerThrew) {
        return new Loss(worker, end, stage, Optional.of(initializerThrew));
    }

    /** Returns why a pool ends whose last failed start this was. */
    PoolBrokenException broken(String pool, int failedStarts) {
        ProcessStartException last = startFailure();
        // Where the conductor heard of it says nothing.
        last.setStackTrace(new StackTraceElement[0]);
        if (isRefusal()) {
            return PoolBrokenException.refused(pool, failedStarts, last);
        }
        return new PoolBrokenException(pool, failedStarts, end.lastLines(), last);
    }

    private ProcessStartException startFailure() {
        return end.startFailure(worker.name(), thrown.orElse(null));
    }

    /** Tells whether the platform has refused the worker, and would refuse the next one. */
    boolean isRefusal() {
        return end.kind() == ProcessEnd.Kind.REJECTED;
    }

    /** Tells whether the start of the worker failed for a reason that says nothing of the next one. */
    boolean isByChance() {
        return end.isByChance();
    }

    /** Tells whether the platform took the worker away: nothing that it ran is to blame. */
    boolean isTaken() {
        return end.isTaken();
    }

    /** Returns what a call fails with whose function has ended so many workers in a row. */
    WorkerLostException inFunction(String call, int workers) {
        return WorkerLostException.inFunction(call, workers, exit(), advice());
    }

    /** Returns what an item fails with that was begun so often, or sent to so many workers. */
    public WorkerLostException of(String task, int times) {
        return stage == Stage.BEGUN
                ? new WorkerLostException(task, times, exit(), advice())
                : WorkerLostException.beforeBegin(task, times, exit(), advice());
    }

    private WorkerLostException.Exit exit() {
        return new WorkerLostException.Exit(toString(), end.cause(), end.exitCode(), end.lastLines());
    }

    private String advice() {
        return LossAdvice.on(end);
    }

    /** Returns the worker and how it ended, in one line for a person. */
    @Override
    public String toString() {
        return worker + ", " + end.how();
    }

    /** Returns what is said, and thrown at who waits for all workers, while a pool goes on without those that do not start. */
    WorkersMissingException tolerated(String pool, int failedStarts, int up) {
        return new WorkersMissingException(pool, failedStarts, up, startFailure());
    }

    /** Returns the same for a pool that starts no other in their place, as its initializer has ended so many in a row. */
    WorkersMissingException abandoned(String pool, int failedStarts, int up) {
        return WorkersMissingException.byInitializer(pool, failedStarts, up, startFailure());
    }

    /** Returns the loss of a worker that was ended because one of its tasks takes no notice of an interrupt. */
    static Loss besideStuck(WorkerTitle worker) {
        ProcessEnd end = new ProcessEnd(
                ProcessState.TERMINATED,
                OptionalInt.empty(),
                Cause.CANCELLED,
                "ended by its pool, because another of its tasks did not end when it was interrupted"
                        + " (its deadline had passed, or its call was cancelled)",
                ProcessEnd.Kind.ENDED);
        return new Loss(worker, end);
    }

    /** What a worker did with a task, or with what the task needs, when it was lost. */
    public enum Stage {
        /** It had begun: it deserialized the argument, or the function for it, or ran the task. */
        BEGUN,
        /** It was sent the task, and had begun nothing of it. */
        SENT,
        /** It had come up, and ran the initializer of its pool. */
        INITIALIZING
    }
}
