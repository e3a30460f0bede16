// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool.scheduling;

import static java.util.Objects.requireNonNull;

import io.fiber.FiberException;
import io.fiber.Retry;
import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.protocol.SealedPayload;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One call of a simulation: what was asked, what came back, and which losses each item is to blame for. */
final class SimulatedCall extends SinkByKind {

    /** How a call has ended. */
    enum Ending {
        NONE,
        COMPLETE,
        BROKEN,
        CANCELLED
    }

    /** What a call asks for. */
    record Plan(int number, int items, long taskNs, int maxAttempts, int chunkItems, Set<Long> killers, Retry retry) {}

    final Plan plan;
    final BitSet answered = new BitSet();
    final BitSet lost = new BitSet();
    /** How often an item was the one to blame for a loss, as far as its master can know. */
    final Map<Long, Integer> blames = new HashMap<>();

    /** How many workers were lost that had been sent an item and, as far as its master can know, had not begun it. */
    final Map<Long, Integer> lostUnbegun = new HashMap<>();

    /** How often an item may have been begun on a worker that was ended for the sake of another item. */
    final Map<Long, Integer> excused = new HashMap<>();

    /** How often an item has thrown, as far as its master has heard. */
    private final Map<Long, Integer> failures = new HashMap<>();

    private long triesOf = -1;

    private final Map<Long, Integer> begun = new HashMap<>();
    Ending ending = Ending.NONE;
    boolean room = true;
    long knownWhenFull;
    int fed;
    private final PoolSimulation world;
    private @Nullable Call call;

    SimulatedCall(PoolSimulation world, Plan plan) {
        this.world = world;
        this.plan = plan;
    }

    /** Makes the call; {@code source} is where its items come from. */
    Call over(TaskFunction function, Source source) {
        function.claim();
        Call made = new Call(
                function, source, new Call.Limits(plan.chunkItems(), plan.maxAttempts(), 0, plan.retry()), this);
        call = made;
        return made;
    }

    Call call() {
        return requireNonNull(call);
    }

    /** An item begins: never more often than it may. */
    void begin(long index) {
        int times = begun.merge(index, 1, Integer::sum);
        world.require(
                times <= plan.maxAttempts() + excused.getOrDefault(index, 0) + failures.getOrDefault(index, 0),
                "item %s of call %s begins for the time %s of %s",
                index,
                plan.number(),
                times,
                plan.maxAttempts());
    }

    /** Its master hears that an item has thrown; it may be tried again. */
    void failed(long index) {
        if (!isOver()) {
            int times = failures.merge(index, 1, Integer::sum);
            world.require(times <= plan.retry().times() + 1, "item %s failed %s times", index, times);
        }
    }

    @Override
    protected void onTries(long index, List<Answer.Block> earlier) {
        int expected = failures.getOrDefault(index, 0);
        world.require(
                earlier.size() == expected || earlier.size() == expected - 1,
                "item %s comes with %s earlier failures of %s",
                index,
                earlier.size(),
                expected);
        triesOf = index;
    }

    boolean isMade() {
        return call != null;
    }

    boolean isOver() {
        return ending != Ending.NONE;
    }

    /** The payload of items or results from {@code firstIndex} on, which names them. */
    SealedPayload payload(long firstIndex) {
        return new SealedPayload(Payload.empty(), plan.number(), firstIndex);
    }

    @Override
    protected void onResults(long firstIndex, int count, SealedPayload results) {
        world.require(!isOver(), "results for call %s, which is %s", plan.number(), ending);
        world.require(
                results.equals(payload(firstIndex)),
                "call %s got %s as its results from %s on",
                plan.number(),
                results,
                firstIndex);
        world.require(
                failures.getOrDefault(firstIndex, 0) <= plan.retry().times()
                        || triesOf == firstIndex
                        || plan.retry().times() == 0,
                "item %s failed for good without its earlier failures",
                firstIndex);
        for (int index = (int) firstIndex; index < firstIndex + count; index++) {
            world.require(index < plan.items(), "call %s has no item %s", plan.number(), index);
            world.require(!answered.get(index) && !lost.get(index), "item %s of call %s, twice", index, plan.number());
            answered.set(index);
        }
    }

    @Override
    protected void onLost(long index, int attempts, Loss loss) {
        world.story("call %s: item %s given up after %s", plan.number(), index, attempts);
        world.require(!isOver(), "loss for call %s, which is %s", plan.number(), ending);
        world.require(
                !answered.get((int) index) && !lost.get((int) index), "item %s lost, twice", index, plan.number());
        lost.set((int) index);
        if (loss.stage() == Loss.Stage.SENT) {
            int times = lostUnbegun.getOrDefault(index, 0);
            world.require(
                    attempts == TaskLedger.GREATEST_LOST_UNBEGUN && times >= attempts,
                    "item %s of call %s given up after it was sent to %s workers that were lost before it began, of %s",
                    index,
                    plan.number(),
                    times,
                    attempts);
            return;
        }
        world.require(
                attempts == plan.maxAttempts() && blames.getOrDefault(index, 0) == attempts,
                "item %s of call %s given up after %s attempts of %s, to blame for %s losses",
                index,
                plan.number(),
                attempts,
                plan.maxAttempts(),
                blames.getOrDefault(index, 0));
    }

    @Override
    protected void onOverdue(long index, String worker) {
        world.require(false, "item %s overdue, and no call has a deadline", index);
    }

    @Override
    public void onEnd(long items) {
        world.story("call %s: complete", plan.number());
        world.require(!isOver(), "an end for call %s, which is %s", plan.number(), ending);
        world.require(
                items == plan.items() && answered.cardinality() + lost.cardinality() == plan.items(),
                "call %s ended with %s answered and %s lost of %s",
                plan.number(),
                answered.cardinality(),
                lost.cardinality(),
                plan.items());
        ending = Ending.COMPLETE;
    }

    @Override
    public void onBroken(FiberException cause) {
        world.story("call %s: broken, %s", plan.number(), cause.code());
        world.require(!isOver(), "a break for call %s, which is %s", plan.number(), ending);
        ending = Ending.BROKEN;
    }

    @Override
    public boolean hasRoom() {
        return room;
    }
}
