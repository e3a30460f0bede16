// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import static java.util.Objects.requireNonNull;

import io.fiber.RemoteTaskException;
import io.fiber.WaitInterruptedException;
import io.fiber.WorkerLostException;
import io.fiber.runtime.simulation.CallScript;
import io.fiber.runtime.simulation.World;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The thread of a caller that takes results, as far as there are any: the real {@link Collector} and {@link
 * ResultIterator}, and a check of each result and of their order.
 */
final class VirtualConsumer {

    /** What a step of it came to. */
    enum Step {
        /** It waits to be woken. */
        PARKED,
        /** It goes on after a while. */
        BUSY,
        /** It has all. */
        COMPLETE,
        /** Something went wrong. */
        FAILED
    }

    private static final int MOST_AT_ONCE = 64;
    private static final long MOST_BYTES_WAITING = 8L << 20;

    private final World world;
    private final CallScript script;
    private final ResultArray collected = new ResultArray();
    private final Collector collector;
    private final ResultIterator iterator;
    private final Answers answers;
    private final BitSet taken = new BitSet();
    private final boolean inOrder;
    private @Nullable RuntimeException failure;
    private boolean parked = true;
    private int values;
    private boolean wasFull;
    private int valuesWhenFull;
    private long begunWhenFull;

    VirtualConsumer(World world, CallScript script, Answers answers, ResultReader reader) {
        this.world = world;
        this.script = script;
        this.answers = answers;
        this.inOrder = script.kind() == CallScript.Kind.IMAP;
        this.collector = new Collector(answers, reader, collected);
        this.iterator = new ResultIterator(
                answers,
                new ConsumerParking("results"),
                reader,
                inOrder ? ResultIterator.Order.INPUT : ResultIterator.Order.ARRIVAL,
                () -> {});
    }

    boolean isParked() {
        return parked;
    }

    void leaves() {
        parked = false;
    }

    void parks() {
        parked = true;
    }

    RuntimeException failure() {
        return requireNonNull(failure);
    }

    /** Takes all that is there, as one who waits for all results. */
    Step collect() {
        if (!collector.getAsBoolean()) {
            return Step.PARKED;
        }
        failure = collector.failure();
        if (failure != null) {
            return Step.FAILED;
        }
        List<@Nullable Object> results = collected.toList();
        world.require(
                results.size() == script.items() && script.isHarmless(),
                () -> script + " is complete with " + results.size() + " results");
        for (int i = 0; i < results.size(); i++) {
            int index = i;
            world.require(
                    script.isResult(index, results.get(index)),
                    () -> "result " + index + " of " + script + " is " + results.get(index));
        }
        return Step.COMPLETE;
    }

    /** Takes some of what is there, as one who takes result by result. */
    Step take() {
        int most = world.random().nextInt(1, MOST_AT_ONCE);
        for (int i = 0; i < most; i++) {
            Step step = takeOne();
            if (step != Step.BUSY) {
                return step;
            }
        }
        return Step.BUSY;
    }

    /** With its interrupt set beforehand a wait ends at once where it would begin. */
    private Step takeOne() {
        Thread.currentThread().interrupt();
        try {
            boolean more = iterator.hasNext();
            Thread.interrupted();
            if (!more) {
                world.require(
                        taken.cardinality() == script.items(),
                        () -> script + " ends with " + taken.cardinality() + " results taken");
                return Step.COMPLETE;
            }
            one(iterator.next());
            return Step.BUSY;
        } catch (RemoteTaskException | WorkerLostException e) {
            if (script.mayBeTakenForLethal() && String.valueOf(e.getMessage()).startsWith("FBR-402 The function ")) {
                failure = e;
                return Step.FAILED;
            }
            gone(e);
            return Step.BUSY;
        } catch (WaitInterruptedException e) {
            return answers.isEmpty() ? Step.PARKED : Step.BUSY;
        } catch (RuntimeException e) {
            failure = e;
            return Step.FAILED;
        } finally {
            Thread.interrupted();
        }
    }

    private void one(@Nullable Object value) {
        int index = inOrder ? taken.cardinality() : find(value);
        world.require(
                index < script.items() && script.isResult(index, value) && !taken.get(index),
                () -> "result " + index + " of " + script + " is " + value);
        world.require(!script.isThrower(index), () -> "item " + index + " of " + script + " throws, and was answered");
        taken.set(index);
        values++;
    }

    private int find(@Nullable Object value) {
        for (int index = taken.nextClearBit(0); index < script.items(); index = taken.nextClearBit(index + 1)) {
            if (script.isResult(index, value)) {
                return index;
            }
        }
        return script.items();
    }

    private void gone(RuntimeException e) {
        String message = String.valueOf(e.getMessage());
        int index = Integer.parseInt(message.replaceFirst("(?s)^.*?Task (\\d+).*", "$1"));
        world.require(
                !taken.get(index) && (!inOrder || index == taken.cardinality()),
                () -> script + " fails at item " + index + " out of its order: " + message);
        world.require(
                e instanceof WorkerLostException || script.isThrower(index),
                () -> "item " + index + " of " + script + " fails: " + message);
        world.require(
                VirtualCaller.earlierFailures(e) == script.earlierFailures(index, e),
                () -> "item " + index + " of " + script + " fails with " + VirtualCaller.earlierFailures(e)
                        + " earlier failures");
        taken.set(index);
    }

    /**
     * Checks that results which nobody takes stay within their bound: once their room is full nothing more of the call is
     * begun, and only what was under way then still comes. Only values count: what an item throws is as short as it is.
     *
     * @param given how many items were answered by a value
     * @param begun how many were taken from the call
     */
    void checkMemory(int given, long begun) {
        boolean isFull = (long) script.resultBytes() * (given - values) >= MOST_BYTES_WAITING;
        if (isFull && wasFull && values == valuesWhenFull) {
            world.require(
                    begun == begunWhenFull,
                    () -> (begun - begunWhenFull) + " items of " + script
                            + " were begun, and nobody takes its results");
        }
        wasFull = isFull;
        valuesWhenFull = values;
        begunWhenFull = begun;
    }
}
