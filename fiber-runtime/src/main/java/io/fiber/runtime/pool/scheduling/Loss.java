// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool.scheduling;

import io.fiber.FiberException;
import io.fiber.PoolBrokenException;
import io.fiber.ProcessState;
import io.fiber.WorkerLostException;
import io.fiber.WorkersMissingException;
import io.fiber.runtime.process.OutputLines;
import io.fiber.runtime.process.ProcessEnd;
import io.fiber.runtime.process.StartFailure;
import io.fiber.runtime.process.WorkerTitle;
import io.fiber.spec.EndCause;
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
        StartFailure last = startFailure();
        // Where the conductor heard of it says nothing.
        last.exception().setStackTrace(new StackTraceElement[0]);
        String why = isRefusal()
                ? "the platform refused its workers: " + last.reason()
                : failedStarts + " workers in a row failed to start; the last one, " + last.summary() + last.output();
        return new PoolBrokenException(
                "Pool '" + pool + "' ended: " + why, failedStarts, end.lastLines(), last.exception());
    }

    private StartFailure startFailure() {
        return end.startFailure(worker.name(), thrown);
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
        return lost(
                "The function of " + call + " was sent to " + workers
                        + " workers, and each was lost while deserializing it; the last one: ",
                0);
    }

    /** Returns what an item fails with that was begun so often, or sent to so many workers. */
    public WorkerLostException of(String task, int times) {
        if (stage != Stage.BEGUN) {
            return lost(
                    task + " was sent to " + times
                            + " workers, one after the other, and each was lost before the task started; the last one:"
                            + " ",
                    0);
        }
        String started = times == 1
                ? "once, and its worker was lost: "
                : times + " times, and its worker was lost each time; the last one: ";
        return lost(task + " was started " + started, times);
    }

    private WorkerLostException lost(String what, int attempts) {
        return new WorkerLostException(
                what + OutputLines.sentence(toString()) + OutputLines.describe(end.lastLines()) + "\n"
                        + LossAdvice.on(end),
                attempts,
                new WorkerLostException.Exit(toString(), end.cause(), end.exitCode(), end.lastLines()));
    }

    /** Returns the worker and how it ended, in one line for a person. */
    @Override
    public String toString() {
        return worker + ", " + end.how();
    }

    /** Returns what is said, and thrown at who waits for all workers, while a pool goes on without those that do not start. */
    WorkersMissingException tolerated(String pool, int failedStarts, int up) {
        return missing(
                pool,
                failedStarts,
                up,
                "did not start",
                "Fiber keeps trying to start the missing ones, and waits longer each time.");
    }

    /** Returns the same for a pool that starts no other in their place, as its initializer has ended so many in a row. */
    WorkersMissingException abandoned(String pool, int failedStarts, int up) {
        return missing(
                pool,
                failedStarts,
                up,
                "ended in the pool's initializer",
                "The missing ones are not replaced until you call resize() or no worker is left. Correct the"
                        + " initializer.");
    }

    private WorkersMissingException missing(String pool, int failedStarts, int up, String how, String next) {
        StartFailure last = startFailure();
        String others = up == 1 ? "The one running worker continues" : "The " + up + " running workers continue";
        return new WorkersMissingException(
                "The last " + failedStarts + " workers of pool '" + pool + "' " + how + "; the last one, "
                        + last.summary() + last.output() + "\n" + others + ". " + next,
                failedStarts,
                up,
                last.exception());
    }

    /** Returns the loss of a worker that was ended because one of its tasks takes no notice of an interrupt. */
    static Loss besideStuck(WorkerTitle worker) {
        ProcessEnd end = new ProcessEnd(
                ProcessState.TERMINATED,
                OptionalInt.empty(),
                EndCause.CANCELLED,
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
