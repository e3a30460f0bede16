// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import io.fiber.FiberException;
import io.fiber.WorkerLostException;
import io.fiber.runtime.pool.scheduling.Answer;
import io.fiber.runtime.pool.scheduling.CallSink;
import io.fiber.runtime.pool.scheduling.Loss;
import io.fiber.runtime.pool.scheduling.MachineInside;
import io.fiber.runtime.pool.scheduling.SinkByKind;
import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.runtime.simulation.CallScript;
import io.fiber.runtime.simulation.World;
import java.util.BitSet;

/** What the pool tells of a call, checked: each item once, an end once, and nothing after it. */
final class WatchedSink extends SinkByKind {

    private final World world;
    private final CallScript script;
    private final CallSink next;
    private final BitSet answered = new BitSet();
    private final BitSet lost = new BitSet();
    private int values;
    private boolean over;
    private boolean cancelled;

    WatchedSink(World world, CallScript script, CallSink next) {
        this.world = world;
        this.script = script;
        this.next = next;
    }

    /** Nobody waits any more; the pool may not have heard of it. */
    void cancel() {
        cancelled = true;
    }

    /** Tells whether the pool has said that nothing follows. */
    boolean isOver() {
        return over;
    }

    boolean isCancelled() {
        return cancelled;
    }

    int answered() {
        return answered.cardinality();
    }

    /** Returns how many items were answered by a value, and not by what they threw. */
    int values() {
        return values;
    }

    @Override
    protected void onResults(long firstIndex, int count, SealedPayload results) {
        world.require(!over, () -> "results for " + script + ", which is over");
        for (int index = (int) firstIndex; index < firstIndex + count; index++) {
            int item = index;
            world.require(item < script.items(), () -> script + " has no item " + item);
            world.require(
                    !answered.get(item) && !lost.get(item), () -> "item " + item + " of " + script + " answered twice");
            world.require(script.begun(item) > 0, () -> "item " + item + " of " + script + " answered, never begun");
            world.require(!script.isKiller(item), () -> "item " + item + " of " + script + " is answered, and kills");
            answered.set(item);
            values += script.isThrower(item) ? 0 : 1;
        }
    }

    @Override
    public void onAnswer(Answer answer) {
        super.onAnswer(answer);
        next.onAnswer(answer);
    }

    @Override
    protected void onLost(long index, int attempts, Loss loss) {
        int item = (int) index;
        world.tell(() ->
                "item " + item + " of " + script + " is given up: " + loss.end().how());
        world.require(!over, () -> "a loss for " + script + ", which is over");
        world.require(
                !answered.get(item) && !lost.get(item), () -> "item " + item + " of " + script + " lost, answered");
        world.require(
                script.mayBeGivenUp(item),
                () -> "item " + item + " of " + script + " is given up, and nothing that it needs ends a worker");
        if (loss.stage() == Loss.Stage.SENT) {
            world.require(attempts == MachineInside.GREATEST_LOST_UNBEGUN, () -> "given up after " + attempts);
            lost.set(item);
            return;
        }
        world.require(
                attempts == script.maxAttempts(),
                () -> "item " + item + " of " + script + " given up after " + attempts + " of " + script.maxAttempts());
        // A first run that is not announced counts, whether it had begun or not.
        int least = script.maxAttempts() == 1 ? 1 : script.maxAttempts() - 1;
        world.require(
                script.announcedOrBegun(item) >= least,
                () -> "item " + item + " of " + script + " given up after " + attempts + " attempts, and begun "
                        + script.announcedOrBegun(item) + " times");
        world.require(!loss.end().how().isEmpty(), () -> "a loss without a cause");
        lost.set(item);
    }

    @Override
    protected void onOverdue(long index, String worker) {
        world.require(false, () -> "item " + index + " of " + script + " is overdue, and has no deadline");
    }

    @Override
    public void onEnd(long items) {
        world.require(!over, () -> script + " ends twice");
        over = true;
        world.require(
                items == script.items() && answered.cardinality() + lost.cardinality() == script.items(),
                () -> script + " ends with " + answered.cardinality() + " answered and " + lost.cardinality()
                        + " given up of " + script.items());
        next.onEnd(items);
    }

    @Override
    public void onBroken(FiberException cause) {
        world.tell(() -> script + " is broken: " + cause.code());
        world.require(!over, () -> script + " is broken, and over");
        world.require(
                script.mayBeTakenForLethal() || !(cause instanceof WorkerLostException),
                () -> script + " fails by its function, which ends no worker");
        over = true;
        next.onBroken(cause);
    }

    @Override
    public boolean hasRoom() {
        return next.hasRoom();
    }
}
