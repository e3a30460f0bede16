// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import io.fiber.FiberException;
import io.fiber.WorkersMissingException;
import io.fiber.runtime.pool.scheduling.Call;
import io.fiber.runtime.pool.scheduling.Chunk;
import io.fiber.runtime.pool.scheduling.FixedCalls;
import io.fiber.runtime.pool.scheduling.NumberedWorkers;
import io.fiber.runtime.pool.scheduling.PoolLimits;
import io.fiber.runtime.pool.scheduling.PoolMachine;
import io.fiber.runtime.pool.scheduling.ResultHeader;
import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.runtime.security.Seals;
import io.fiber.runtime.serialization.Codecs;
import io.fiber.runtime.serialization.JavaSerializerProvider;
import io.fiber.runtime.serialization.Side;
import io.fiber.spi.Options;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/** Workers whose items take a given time, and a pool's machine that has them run one map in virtual time. */
final class TimedWorkers implements NumberedWorkers {

    private static final long WAY_NS = 50_000;
    /** Who runs a task hears of a recall late. */
    private static final long RECALL_NS = 10_000_000;
    /** A worker tells what it has done when it has run for so long. */
    private static final long GREATEST_HOLD_NS = 20_000_000;

    private static final long LOOK_NS = 1_000_000;
    private int nextNumber = 1;
    private static final long QUICK_LOOK_NS = 5_000;
    /** Until another thread has handed over what the feeder has in hand. */
    private static final long HANDOVER_NS = 20_000;

    private final long[] durationsNs;
    private final PoolMachine machine;
    private final List<Worker> workers = new ArrayList<>();
    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private long nowNs;
    private long order;
    private int chunks;
    private long lateNs;
    private final Set<Integer> asked = new HashSet<>();

    TimedWorkers(int count, long[] durationsNs) {
        this.durationsNs = durationsNs;
        this.machine = new PoolMachine(
                "p", new PoolLimits(count, 1, OptionalInt.empty(), 3, 100, 800, Integer.MAX_VALUE), this);
    }

    private record Event(long atNs, long order, Runnable action) implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            return atNs == other.atNs ? Long.compare(order, other.order) : Long.compare(atNs, other.atNs);
        }
    }

    /** Runs a map of all items, which are a range; returns how long it took. */
    long run() {
        return run(FixedCalls.ofRange(durationsNs.length, 0, 3), LOOK_NS);
    }

    /**
     * Runs a map of all items, which a thread serializes at this pace; returns how long it took. The conductor looks for them
     * all the time.
     *
     * @param itemNs what an item takes that thread
     * @param turnNs how long it has a processor, and then not for as long
     * @param lateNs how long one chunk of seven waits for a processor in its worker
     */
    long runFed(long itemNs, long turnNs, long lateNs) {
        this.lateNs = lateNs;
        TimedFeeder fed = new TimedFeeder(itemNs, turnNs);
        after(0, fed::feed);
        return run(fed.call, QUICK_LOOK_NS);
    }

    private long run(Call call, long lookNs) {
        machine.onStart();
        machine.onCycleEnd(0);
        for (int number = 1; number <= workers.size(); number++) {
            machine.onWorkerReady(number, 0);
        }
        machine.onCall(call);
        after(0, () -> look(lookNs));
        while (!FixedCalls.isEnded(call)) {
            Event next = events.remove();
            nowNs = next.atNs();
            next.action().run();
            machine.onCycleEnd(nowNs);
        }
        assertAnswered();
        return nowNs;
    }

    /** Returns how many chunks were sent. */
    int chunks() {
        return chunks;
    }

    /** Returns how many workers were sent a chunk. */
    int asked() {
        return asked.size();
    }

    private void assertAnswered() {
        long done = machine.statistics().tasksDone();
        if (done != durationsNs.length) {
            throw new AssertionError(done + " items were answered, not " + durationsNs.length);
        }
    }

    private void look(long everyNs) {
        after(everyNs, () -> look(everyNs));
    }

    private void after(long delayNs, Runnable action) {
        events.add(new Event(nowNs + delayNs, order++, action));
    }

    @Override
    public int takeNumbers(int count) {
        int first = nextNumber;
        nextNumber += count;
        return first;
    }

    @Override
    public void startWorkers(int firstWorker, int count) {
        for (int i = 0; i < count; i++) {
            workers.add(new Worker(firstWorker + i));
        }
    }

    @Override
    public boolean assign(int worker, Chunk chunk) {
        chunks++;
        asked.add(worker);
        Held held = new Held(
                chunk.id(),
                chunk.attempt(),
                chunk.items().firstIndex(),
                chunk.items().count());
        after(WAY_NS, () -> workers.get(worker - 1).take(held));
        return true;
    }

    @Override
    public void grant(int worker, Chunk chunk, int item) {
        throw new AssertionError("no item is announced");
    }

    @Override
    public void recall(int worker, Chunk chunk) {
        long id = chunk.id();
        after(WAY_NS + RECALL_NS, () -> workers.get(worker - 1).giveBack(id));
    }

    @Override
    public void cancel(int worker, Chunk chunk) {
        throw new AssertionError("nothing is cancelled here");
    }

    @Override
    public void drain(int worker) {
        throw new AssertionError("nobody is sent away here");
    }

    @Override
    public void shortOfWorkers(WorkersMissingException shortage, int failedStarts) {
        throw new AssertionError("every start succeeds here");
    }

    @Override
    public void kill(int worker) {
        throw new AssertionError("nobody is killed here");
    }

    @Override
    public void terminated(Optional<FiberException> cause) {
        throw new AssertionError("the pool goes on");
    }

    /** The thread that serializes the items of a call. */
    private final class TimedFeeder {
        private final long itemNs;
        private final long turnNs;
        private final BlockSource source = FixedBlocks.of(() -> after(HANDOVER_NS, this::feed));
        private final Call call = FixedCalls.of(FixedCalls.function(1), source, 0, 3);
        private final Feeder feeder;
        private int given;

        TimedFeeder(long itemNs, long turnNs) {
            this.itemNs = itemNs;
            this.turnNs = turnNs;
            Codecs codecs =
                    Codecs.of(new JavaSerializerProvider(), Options.none(), Side.MASTER, UnaryOperator.identity());
            Iterator<Integer> items =
                    IntStream.range(0, durationsNs.length).peek(item -> given++).iterator();
            this.feeder = new Feeder(items, source, codecs, Seals.none());
            source.whenStarved(() -> after(HANDOVER_NS, feeder::flush));
        }

        void feed() {
            long untilTurnNs = 2 * turnNs - nowNs % (2 * turnNs);
            if (untilTurnNs <= turnNs) {
                after(untilTurnNs, this::feed);
                return;
            }
            int before = given;
            source.feederWaits(false);
            switch (feeder.feed()) {
                case FED -> after((given - before) * itemNs, this::feed);
                case FULL -> source.feederWaits(true);
                case ENDED -> machine.onInputEnd(call);
            }
        }
    }

    /** A chunk at a worker. */
    private static final class Held {
        private final long chunk;
        private final int attempt;
        private final long firstIndex;
        private int count;
        private int done;
        private int told;
        private long busyNs;

        Held(long chunk, int attempt, long firstIndex, int count) {
            this.chunk = chunk;
            this.attempt = attempt;
            this.firstIndex = firstIndex;
            this.count = count;
        }
    }

    /** A worker that runs one item after the other. */
    private final class Worker {
        private final int number;
        private final Deque<Held> held = new ArrayDeque<>();

        Worker(int number) {
            this.number = number;
        }

        void take(Held chunk) {
            held.add(chunk);
            if (held.size() == 1) {
                start(chunk);
            }
        }

        private void start(Held chunk) {
            if (lateNs == 0 || chunk.chunk % 7 != 0) {
                begin(chunk);
            } else {
                after(lateNs, () -> begin(chunk));
            }
        }

        private void begin(Held chunk) {
            long itemNs = durationsNs[(int) chunk.firstIndex + chunk.done];
            after(itemNs, () -> itemDone(chunk, itemNs));
        }

        private void itemDone(Held chunk, long itemNs) {
            chunk.done++;
            chunk.busyNs += itemNs;
            if (chunk.done >= chunk.count || chunk.busyNs > GREATEST_HOLD_NS) {
                tell(chunk);
            }
            if (chunk.done < chunk.count) {
                begin(chunk);
                return;
            }
            held.remove();
            if (!held.isEmpty()) {
                start(held.element());
            }
        }

        private void tell(Held chunk) {
            int count = chunk.done - chunk.told;
            ResultHeader answer =
                    new ResultHeader(chunk.chunk, chunk.attempt, chunk.told, count, 0, chunk.busyNs, false);
            chunk.told = chunk.done;
            chunk.busyNs = 0;
            after(WAY_NS, () -> machine.onResult(number, answer, SealedPayload.none(), nowNs));
        }

        /** Keeps what has begun: the item that runs, if it is one of this chunk. */
        void giveBack(long id) {
            for (Held chunk : List.copyOf(held)) {
                if (chunk.chunk == id) {
                    boolean isFirst = held.element() == chunk;
                    int kept = isFirst ? chunk.done + 1 : 0;
                    if (!isFirst) {
                        held.remove(chunk);
                    }
                    chunk.count = kept;
                    after(WAY_NS, () -> machine.onShortened(number, id, chunk.attempt, kept));
                }
            }
        }
    }
}
