// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool.scheduling;

import static java.util.Objects.requireNonNull;

import io.fiber.runtime.protocol.SealedPayload;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * One worker of a simulation. It runs item after item, and may die at any of them;
 * what it has sent arrives in order, what it has not flushed dies with it.
 */
final class SimulatedWorker {

    /** A chunk as the worker has read it, and how far its master has been told. */
    static final class Task {
        final long chunk;
        final int attempt;
        final SimulatedCall call;
        final long firstIndex;
        int count;
        /** How many items its master believes it to have. */
        int believedCount;

        final boolean announced;
        final boolean alone;
        final int slot;
        boolean cancelled;
        int done;
        int flushed;
        int delivered;
        int begun = -1;
        int started;

        Task(SimulatedCall call, Chunk sent) {
            Items items = sent.items();
            this.call = call;
            this.chunk = sent.id;
            this.attempt = sent.attempt;
            this.firstIndex = items.form() == Items.Form.ENCODED
                    ? items.payload().sealCounter() + items.passOver()
                    : items.firstValue() - PoolSimulation.RANGE_FIRST;
            this.count = items.count();
            this.believedCount = items.count();
            this.announced = sent.announced;
            this.alone = sent.alone;
            this.slot = sent.slotNumber();
        }
    }

    final int number;
    /** What the master believes it has: shrinks when answers are delivered. */
    final Deque<Task> believed = new ArrayDeque<>();

    boolean ready;
    boolean dead;
    boolean gone;
    boolean drained;
    boolean killed;
    int given;
    long fullUntilNs;
    private final PoolSimulation world;
    private final List<TaskSlot> slots;
    /** It has told that an item does not end, and will be killed. */
    private boolean doomed;
    /** Its master has heard that, and has taken everything from it. */
    private boolean condemned;

    private long lastArrivalNs;

    /** One of its task threads. */
    private static final class TaskSlot {
        private final Deque<Task> tasks = new ArrayDeque<>();
        private boolean running;
        /** Whether it waits for the word that what it has announced may begin. */
        private boolean waiting;
        /** The item that it runs does not end. */
        private boolean stuck;
    }

    SimulatedWorker(PoolSimulation world, int number) {
        this.world = world;
        this.number = number;
        this.slots = IntStream.range(0, world.limits.threads())
                .mapToObj(slot -> new TaskSlot())
                .toList();
    }

    static Task read(PoolSimulation world, Chunk chunk) {
        return new Task(world.calls.get(chunk.function().id() - 1), chunk);
    }

    void take(Task task) {
        believed.add(task);
        given += task.count;
        world.later(world.latencyNs(), () -> {
            TaskSlot slot = slots.get(task.slot);
            slot.tasks.add(task);
            runNext(slot);
        });
    }

    void cancel(long chunk) {
        believed.stream().filter(task -> task.chunk == chunk).forEach(task -> task.cancelled = true);
        for (TaskSlot slot : slots) {
            if (slot.waiting && requireNonNull(slot.tasks.peek()).cancelled) {
                slot.waiting = false;
                slot.running = false;
                world.later(0, () -> runNext(slot));
            }
        }
    }

    /** The item of a chunk that was announced may begin, unless its chunk was cancelled meanwhile. */
    void granted(long chunk, int item) {
        world.later(world.latencyNs(), () -> {
            for (TaskSlot slot : slots) {
                Task task = slot.tasks.peek();
                if (!dead && slot.waiting && task != null && task.chunk == chunk && task.done == item) {
                    slot.waiting = false;
                    begin(task);
                }
            }
        });
    }

    /** Gives back what has not begun, if the chunk has not ended when the message arrives. */
    void recall(long chunk) {
        world.later(
                world.latencyNs(),
                () -> slots.stream()
                        .flatMap(slot -> slot.tasks.stream())
                        .filter(task -> task.chunk == chunk && !dead)
                        .findFirst()
                        .ifPresent(this::shorten));
    }

    private void shorten(Task task) {
        int kept = task.started;
        int returned = task.count - kept;
        task.count = kept;
        send(() -> {
            task.believedCount = kept;
            given -= returned;
            if (task.delivered == kept) {
                believed.remove(task);
            }
            world.machine.onShortened(number, task.chunk, task.attempt, kept);
        });
        if (task.done == kept) {
            slots.get(task.slot).tasks.remove(task);
            if (task.flushed < task.done) {
                flush(task, false);
            }
        }
    }

    void drain() {
        drained = true;
        world.later(world.latencyNs(), () -> slots.forEach(this::runNext));
    }

    private void runNext(TaskSlot slot) {
        if (dead || slot.running) {
            return;
        }
        Task task = slot.tasks.peek();
        if (task == null) {
            if (drained && slots.stream().allMatch(each -> each.tasks.isEmpty()) && believedIsOnItsWay()) {
                die("drained");
            }
        } else if (task.cancelled && task.done < task.count) {
            slot.tasks.remove();
            send(() -> {
                if (believed.remove(task)) {
                    world.machine.onDropped(number, task.chunk, task.attempt);
                }
            });
            runNext(slot);
        } else {
            slot.running = true;
            runItem(task);
        }
    }

    /** Everything that was assigned has been read, so that nothing is on the way to it. */
    private boolean believedIsOnItsWay() {
        return believed.stream().allMatch(task -> task.flushed == task.count || task.cancelled);
    }

    private void runItem(Task task) {
        task.started = task.done + 1;
        if (!task.announced) {
            begin(task);
            return;
        }
        int item = task.done;
        slots.get(task.slot).waiting = true;
        send(() -> {
            task.begun = item;
            world.machine.onBegun(number, task.chunk, task.attempt, item);
        });
    }

    private void begin(Task task) {
        long index = task.firstIndex + task.done;
        task.call.begin(index);
        boolean killer = task.call.plan.killers().contains(index);
        if (killer || world.chance(world.crashShare)) {
            world.later(world.random.nextLong(task.call.plan.taskNs() + 1), () -> dieIn(task, index));
            return;
        }
        world.later(world.random.nextLong(2 * task.call.plan.taskNs() + 1), () -> {
            if (!dead && !slots.get(task.slot).stuck) {
                finishItem(task);
            }
        });
    }

    private void dieIn(Task task, long index) {
        if (!dead) {
            die("in item " + index + " of call " + task.call.plan.number());
        }
    }

    private void finishItem(Task task) {
        boolean fails = task.call.plan.retry().times() > 0 && world.chance(0.1);
        if (fails && task.flushed < task.done) {
            flush(task, false);
        }
        task.done++;
        if (fails) {
            flush(task, true);
        } else if (task.done == task.count || task.announced || world.chance(0.2)) {
            flush(task, false);
        }
        TaskSlot slot = slots.get(task.slot);
        slot.running = false;
        if (task.done == task.count) {
            slot.tasks.remove(task);
        }
        runNext(slot);
    }

    private void flush(Task task, boolean fails) {
        int first = task.flushed;
        int count = task.done - first;
        task.flushed = task.done;
        ResultHeader answer = new ResultHeader(
                task.chunk, task.attempt, first, count, fails ? 1 : 0, task.call.plan.taskNs() * count, fails);
        SealedPayload results = task.call.payload(task.firstIndex + first);
        send(() -> {
            if (condemned) {
                world.lateAnswers++;
                world.machine.onResult(number, answer, results, world.nowNs);
                return;
            }
            task.delivered = first + count;
            if (fails && !task.cancelled) {
                task.call.failed(task.firstIndex + first);
            }
            if (task.delivered == task.believedCount) {
                believed.remove(task);
            }
            world.machine.onResult(number, answer, results, world.nowNs);
        });
        if (world.chance(0.02)) {
            world.later(world.latencyNs() * 20, () -> {
                if (gone) {
                    world.lateAnswers++;
                    world.machine.onResult(number, answer, results, world.nowNs);
                }
            });
        }
    }

    /** Sends to the master: in order, and lost when the master has given the worker up. */
    private void send(Runnable message) {
        lastArrivalNs = Math.max(lastArrivalNs, world.nowNs + world.latencyNs());
        world.at(lastArrivalNs, () -> {
            if (!gone) {
                message.run();
            }
        });
    }

    /** Tells whether it runs a chunk of this call, as its master sees it. */
    boolean runs(SimulatedCall call) {
        for (int slot = 0; slot < slots.size(); slot++) {
            int number = slot;
            if (believed.stream()
                    .filter(task -> task.slot == number)
                    .findFirst()
                    .filter(task -> task.call == call)
                    .isPresent()) {
                return true;
            }
        }
        return false;
    }

    /** It ends while it drops a chunk of a cancelled call, or an item of that does not end. */
    void failToDrop(SimulatedCall call) {
        if (world.chance(0.5)) {
            die("while it drops a cancelled chunk");
        } else {
            getStuck(call);
        }
    }

    /** An item of a cancelled call that it runs takes no notice of that: its master hears so, and will kill it. */
    private void getStuck(SimulatedCall call) {
        for (TaskSlot slot : slots) {
            Task task = slot.tasks.peek();
            if (!dead && !doomed && slot.running && !slot.waiting && task != null && task.call == call) {
                slot.stuck = true;
                world.later(world.random.nextLong(20_000_000L), () -> tellStuck(task));
                return;
            }
        }
    }

    private void tellStuck(Task task) {
        if (dead || doomed) {
            return;
        }
        doomed = true;
        send(() -> {
            world.story("worker %s: an item of chunk %s does not end", number, task.chunk);
            excuse();
            believed.clear();
            condemned = true;
            world.machine.onStuck(number, task.chunk, task.attempt);
        });
    }

    /** What runs beside an item that does not end is not to blame, and runs again, unless it has begun and may not. */
    private void excuse() {
        for (Task task : believed) {
            if (task.cancelled || task.call.isOver()) {
                continue;
            }
            for (int item = task.delivered; item < task.believedCount; item++) {
                boolean mayHaveBegun = !task.announced || task.begun == item;
                if (mayHaveBegun && task.call.plan.maxAttempts() == 1) {
                    task.call.blames.merge(task.firstIndex + item, 1, Integer::sum);
                } else if (mayHaveBegun) {
                    task.call.excused.merge(task.firstIndex + item, 1, Integer::sum);
                }
            }
        }
    }

    /** Tells whether one of its threads has nothing, as its master sees it. */
    boolean hasIdleSlot() {
        return believed.stream().mapToInt(task -> task.slot).distinct().count() < slots.size();
    }

    /**
     * Notes which items its master must count as begun: of announced ones the one that it heard of, of others all, since
     * any of them may have begun; and which not.
     */
    void blame() {
        for (Task task : believed) {
            if (task.cancelled || task.call.isOver()) {
                continue;
            }
            for (int item = task.delivered; item < task.believedCount; item++) {
                Map<Long, Integer> count =
                        !task.announced || task.begun == item ? task.call.blames : task.call.lostUnbegun;
                count.merge(task.firstIndex + item, 1, Integer::sum);
            }
        }
    }

    /** Ends; what was sent may arrive before the news, or not at all. */
    void die(String how) {
        if (dead) {
            return;
        }
        dead = true;
        world.story("worker %s dies: %s", number, how);
        long newsNs = drained || world.chance(0.7) ? Math.max(world.nowNs, lastArrivalNs) : world.nowNs;
        world.at(newsNs + 1, () -> world.gone(this, how));
    }
}
