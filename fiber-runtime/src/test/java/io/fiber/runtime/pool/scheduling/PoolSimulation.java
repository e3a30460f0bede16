// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool.scheduling;

import static java.util.Objects.requireNonNull;

import io.fiber.FiberException;
import io.fiber.PoolState;
import io.fiber.Retry;
import io.fiber.WorkersMissingException;
import io.fiber.runtime.simulation.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A pool's machine in a world without threads and with a time of its own. Everything random comes from the seed, so a run
 * can be repeated. After each event the promises of the machine are checked.
 */
final class PoolSimulation implements NumberedWorkers {

    static final int RANGE_FIRST = 1_000;
    private static final long LONGEST_NS = 3_600_000_000_000L;
    private static final long TICK_NS = 20_000_000;

    private record Event(long atNs, long order, Runnable action) {}

    final SplittableRandom random;
    private int nextNumber = 1;
    final List<SimulatedCall> calls = new ArrayList<>();
    final TreeMap<Integer, SimulatedWorker> workers = new TreeMap<>();
    final PoolLimits limits;
    final PoolMachine machine;
    final double crashShare;
    long nowNs = -1_000_000_000;
    long lateAnswers;
    private final long seed;
    private final World.Memory memory;
    private final double failedStarts;
    private final PriorityQueue<Event> events = new PriorityQueue<>(
            (a, b) -> a.atNs != b.atNs ? Long.compare(a.atNs, b.atNs) : Long.compare(a.order, b.order));
    private final Story story = new Story();
    private long nextOrder;
    private final StartsCheck starts = new StartsCheck(this, workers.values());
    private final SimulatedPromises promises = new SimulatedPromises(this);
    private boolean terminated;

    PoolSimulation(long seed, World.Memory memory) {
        this.seed = seed;
        this.memory = memory;
        this.random = new SplittableRandom(seed);
        int size = chance(0.2) ? 1 : random.nextInt(2, 14);
        OptionalInt perChild = chance(0.4) ? OptionalInt.of(random.nextInt(1, 40)) : OptionalInt.empty();
        int threads = chance(0.4) ? random.nextInt(2, 6) : 1;
        this.limits = new PoolLimits(size, threads, perChild, 4, 100_000_000, 10_000_000_000L, Integer.MAX_VALUE);
        this.crashShare = chance(0.5) ? random.nextDouble(0.02) : 0;
        this.failedStarts = chance(0.3) ? random.nextDouble(0.6) : 0;
        this.machine = new PoolMachine("simulated", limits, this);
    }

    boolean chance(double share) {
        return random.nextDouble() < share;
    }

    long latencyNs() {
        return random.nextLong(1_000, 200_000);
    }

    void at(long timeNs, Runnable action) {
        events.add(new Event(timeNs, nextOrder++, action));
    }

    void later(long delayNs, Runnable action) {
        at(nowNs + delayNs, action);
    }

    @SuppressWarnings("AnnotateFormatMethod") // that annotation is no dependency of ours
    void story(String line, @Nullable Object... values) {
        if (memory == World.Memory.STORY) {
            story.add("%,15d ns  %s".formatted(nowNs, line.formatted(values)));
        }
    }

    @SuppressWarnings("AnnotateFormatMethod") // that annotation is no dependency of ours
    void require(boolean holds, String otherwise, @Nullable Object... values) {
        if (!holds) {
            throw new AssertionError("Seed " + seed + ": " + otherwise.formatted(values)
                    + "\nReplay with -Dfiber.simulation.seed=" + seed + "\n" + story);
        }
    }

    /** Runs until the pool is gone. */
    void run() {
        int count = random.nextInt(1, 8);
        for (int i = 1; i <= count; i++) {
            planCall(i);
        }
        long endNs = nowNs + random.nextLong(1, 3_000_000_000L);
        boolean gently = chance(0.7);
        at(endNs, () -> {
            story(gently ? "shutdown" : "terminate");
            if (gently) {
                machine.onShutdown();
            } else {
                machine.onTerminate();
            }
        });
        planFullWays();
        planPowerCuts();
        long latestNs = nowNs + LONGEST_NS;
        later(0, this::tick);
        while (!terminated) {
            Event event = events.remove();
            require(event.atNs >= nowNs, "time went back");
            nowNs = event.atNs;
            require(nowNs < latestNs, "the pool does not end; it is %s", machine.state());
            event.action.run();
            machine.onCycleEnd(nowNs);
            promises.check();
        }
        promises.checkEnd();
    }

    private void tick() {
        later(TICK_NS, this::tick);
    }

    private void planCall(int number) {
        int items = chance(0.3) ? 1 : chance(0.1) ? 0 : random.nextInt(1, 400);
        long taskNs = List.of(50L, 1_000L, 1_000_000L, 50_000_000L).get(random.nextInt(4));
        Set<Long> killers = new HashSet<>();
        if (items > 0 && chance(0.3)) {
            for (int i = random.nextInt(1, 4); i > 0; i--) {
                killers.add(random.nextLong(items));
            }
        }
        SimulatedCall call = new SimulatedCall(
                this,
                new SimulatedCall.Plan(
                        number,
                        items,
                        taskNs,
                        random.nextInt(1, 4),
                        chance(0.3) ? random.nextInt(1, 50) : 0,
                        killers,
                        chance(0.3)
                                ? Retry.times(random.nextInt(1, 4))
                                        .backOff(Duration.ofNanos(random.nextLong(50_000_000)), Duration.ofMillis(100))
                                : Retry.times(0)));
        calls.add(call);
        story("plan %s", call.plan);
        long submittedNs = nowNs + random.nextLong(1_000_000_000L);
        at(submittedNs, () -> submit(call));
        if (chance(0.3)) {
            long soonNs = random.nextLong(chance(0.5) ? 500_000_000L : 3_000_000_000L);
            at(submittedNs + soonNs, () -> cancel(call));
        }
    }

    private void submit(SimulatedCall call) {
        TaskFunction function = new TaskFunction(call.plan.number(), call.payload(0));
        int items = call.plan.items();
        if (items == 1 && chance(0.7)) {
            machine.onCall(call.over(function, new ItemSource(call.payload(0), () -> {})));
        } else if (chance(0.5)) {
            machine.onCall(call.over(function, FixedCalls.ints(RANGE_FIRST, items)));
        } else {
            FedItems blocks = new FedItems();
            machine.onCall(call.over(function, blocks));
            feed(call, blocks);
        }
        if (chance(0.3)) {
            stall(call);
        }
    }

    private void feed(SimulatedCall call, FedItems blocks) {
        if (blocks.isClosed()) {
            return;
        }
        int left = call.plan.items() - call.fed;
        if (left == 0) {
            blocks.end();
            later(chance(0.5) ? 0 : random.nextLong(50_000_000L), () -> machine.onInputEnd(call.call()));
            return;
        }
        int count = Math.min(left, blocks.suggestedItems());
        if (blocks.offer(count, call.payload(call.fed))) {
            call.fed += count;
        }
        later(chance(0.8) ? random.nextLong(100_000) : random.nextLong(20_000_000L), () -> feed(call, blocks));
    }

    private void stall(SimulatedCall call) {
        call.room = !call.room;
        call.knownWhenFull = call.call().source.known();
        if (!call.isOver()) {
            later(random.nextLong(30_000_000L), () -> stall(call));
        }
        call.room |= call.isOver();
    }

    private void cancel(SimulatedCall call) {
        if (call.isMade() && !call.isOver()) {
            story("cancel call %s", call.plan.number());
            machine.onCancel(call.call());
            call.ending = SimulatedCall.Ending.CANCELLED;
            List.copyOf(workers.values()).stream()
                    .filter(worker -> worker.runs(call) && chance(0.3))
                    .forEach(worker -> worker.failToDrop(call));
        }
    }

    private void planFullWays() {
        if (chance(0.5)) {
            later(random.nextLong(300_000_000L), () -> {
                for (SimulatedWorker worker : workers.values()) {
                    if (chance(0.3)) {
                        worker.fullUntilNs = nowNs + random.nextLong(200_000_000L);
                    }
                }
                planFullWays();
            });
        }
    }

    /** Workers that die of nothing that they did. */
    private void planPowerCuts() {
        if (chance(0.6)) {
            later(random.nextLong(300_000_000L), () -> {
                for (SimulatedWorker worker : List.copyOf(workers.values())) {
                    if (worker.ready && chance(0.2)) {
                        worker.die("of a power cut");
                    }
                }
                planPowerCuts();
            });
        }
    }

    @Override
    public int takeNumbers(int count) {
        int first = nextNumber;
        nextNumber += count;
        return first;
    }

    @Override
    public void startWorkers(int firstWorker, int count) {
        story("start workers %s..%s", firstWorker, firstWorker + count - 1);
        require(!machine.state().equals(PoolState.TERMINATING), "a start while terminating");
        for (int i = firstWorker; i < firstWorker + count; i++) {
            SimulatedWorker worker = new SimulatedWorker(this, i);
            require(workers.put(i, worker) == null, "worker %s twice", i);
            worker.fullUntilNs = Long.MIN_VALUE;
            planStart(worker);
        }
        require(workers.size() <= limits.workers(), "%s workers", workers.size());
    }

    private void planStart(SimulatedWorker worker) {
        later(random.nextLong(chance(0.1) ? 2_000_000_000L : 200_000_000L), () -> {
            if (worker.dead) {
                return;
            }
            if (!chance(failedStarts)) {
                worker.ready = true;
                starts.succeeded();
                machine.onWorkerReady(worker.number, nowNs);
                return;
            }
            worker.dead = true;
            worker.gone = true;
            workers.remove(worker.number);
            story("worker %s fails to start", worker.number);
            if (chance(0.3)) {
                machine.onWorkerEnded(worker.number, PoolWorld.postponed(), nowNs);
            } else {
                Loss loss = loss(worker, "exit code 1")
                        .at(worker.number % 3 == 0 ? Loss.Stage.SENT : Loss.Stage.INITIALIZING);
                starts.failed(worker, () -> machine.onWorkerEnded(worker.number, loss, nowNs));
            }
        });
    }

    private static Loss loss(SimulatedWorker worker, String how) {
        return PoolWorld.loss("worker-" + worker.number, how);
    }

    void gone(SimulatedWorker worker, String how) {
        if (worker.gone) {
            return;
        }
        worker.gone = true;
        workers.remove(worker.number);
        starts.gone(worker);
        worker.blame();
        machine.onWorkerEnded(worker.number, loss(worker, how), nowNs);
    }

    private SimulatedWorker living(int number) {
        require(workers.containsKey(number), "worker %s is spoken to, which is gone", number);
        return requireNonNull(workers.get(number));
    }

    @Override
    public boolean assign(int number, Chunk chunk) {
        SimulatedWorker worker = living(number);
        require(worker.ready, "a chunk for worker %s, which is not ready", number);
        require(!worker.drained && !worker.killed, "a chunk for worker %s, which is to end", number);
        if (nowNs < worker.fullUntilNs) {
            return false;
        }
        SimulatedWorker.Task task = SimulatedWorker.read(this, chunk);
        require(!task.call.isOver(), "a chunk of call %s, which is %s", task.call.plan.number(), task.call.ending);
        require(task.announced == chunk.announced && task.firstIndex == chunk.firstIndex(), "chunk misread");
        require(worker.believed.isEmpty() || !task.alone, "worker %s got beside others what runs alone", number);
        require(
                worker.believed.stream().noneMatch(other -> other.alone),
                "worker %s got a chunk beside one that runs alone",
                number);
        requireAttempts(task, chunk.lostAttempts);
        int most = limits.maxTasksPerWorker().orElse(Integer.MAX_VALUE);
        require(worker.given + task.count <= most, "worker %s got more than %s items", number, most);
        require(worker.believed.size() < 512 * limits.threads(), "worker %s got too many chunks", number);
        worker.take(task);
        return true;
    }

    private void requireAttempts(SimulatedWorker.Task task, int attempts) {
        int most = task.call.plan.maxAttempts();
        require(task.announced || (most > 1 && attempts == 0), "a chunk that must be announced is not");
        boolean isSuspect = limits.threads() == 1 ? attempts > 0 : attempts > 0 && attempts + 1 >= most;
        require(task.alone || !isSuspect, "a chunk that must run alone does not");
        for (long index = task.firstIndex; index < task.firstIndex + task.count; index++) {
            int blames = task.call.blames.getOrDefault(index, 0);
            require(
                    attempts == blames && attempts < most,
                    "item %s of call %s counts %s lost attempts, and goes out with %s of %s",
                    index,
                    task.call.plan.number(),
                    blames,
                    attempts,
                    most);
        }
    }

    @Override
    public void cancel(int number, Chunk chunk) {
        SimulatedWorker worker = living(number);
        worker.cancel(chunk.id);
    }

    @Override
    public void grant(int worker, Chunk chunk, int item) {
        living(worker).granted(chunk.id, item);
    }

    @Override
    public void recall(int worker, Chunk chunk) {
        story("recall of chunk %s at %s", chunk.id, worker);
        SimulatedWorker holder = workers.get(worker);
        if (holder != null) {
            holder.recall(chunk.id);
        }
    }

    @Override
    public void drain(int number) {
        SimulatedWorker worker = living(number);
        require(worker.ready && !worker.drained, "a drain for worker %s", number);
        worker.drain();
    }

    @Override
    public void shortOfWorkers(WorkersMissingException shortage, int failedStarts) {
        starts.goesOn(machine.registry.up);
    }

    @Override
    public void kill(int number) {
        SimulatedWorker worker = living(number);
        worker.killed = true;
        later(latencyNs(), () -> worker.die("killed"));
    }

    @Override
    public void terminated(Optional<FiberException> cause) {
        story("terminated %s", cause.map(FiberException::code));
        require(!terminated, "terminated twice");
        terminated = true;
    }

    String story() {
        return story.toString();
    }
}
