// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool.scheduling;

import io.fiber.FiberException;
import io.fiber.ProcessState;
import io.fiber.WorkersMissingException;
import io.fiber.runtime.process.ProcessEnd;
import io.fiber.runtime.process.WorkerTitle;
import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.spec.EndCause;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** A world around a pool's machine that writes down what the machine does, and a machine whose workers are ready in it. */
public class PoolWorld implements NumberedWorkers {

    final Map<Integer, List<Chunk>> sent = new HashMap<>();
    final List<String> lines = new ArrayList<>();
    public final PoolMachine machine;
    private int nextNumber = 1;

    /** Creates a pool that may fail to start three times, with back-offs of 100 ns to 800 ns. */
    public PoolWorld(int workers) {
        this(workers, 1);
    }

    /** Creates a pool of workers with so many threads. */
    PoolWorld(int workers, int threads) {
        this(new PoolLimits(workers, threads, OptionalInt.empty(), 3, 100, 800, Integer.MAX_VALUE));
    }

    /** Creates a pool of workers with so many threads, which run so many tasks together. */
    PoolWorld(int workers, int threads, int perChild) {
        this(new PoolLimits(workers, threads, OptionalInt.of(perChild), 3, 100, 800, Integer.MAX_VALUE));
    }

    PoolWorld(PoolLimits limits) {
        machine = new PoolMachine("p", limits, this);
    }

    /** Starts all workers at time 0. */
    public PoolWorld started() {
        machine.onStart();
        machine.onCycleEnd(0);
        for (int worker = 1; worker <= machine.registry.wanted; worker++) {
            machine.onWorkerReady(worker, 0);
        }
        lines.clear();
        return this;
    }

    List<Chunk> at(int worker) {
        return sent.getOrDefault(worker, List.of());
    }

    /** Answers everything that a worker was sent. */
    void answerAll(int worker, long nowNs) {
        for (Chunk chunk : List.copyOf(at(worker))) {
            answer(worker, chunk, nowNs);
        }
    }

    void answer(int worker, Chunk chunk, long nowNs) {
        if (!chunk.isDone()) {
            int first = chunk.answered;
            int count = chunk.count() - first;
            machine.onResult(
                    worker,
                    new ResultHeader(chunk.id, chunk.attempt, first, count, 0, count * 1000L, false),
                    SealedPayload.none(),
                    nowNs);
        }
    }

    /** Returns the loss of a worker. */
    public static Loss loss() {
        return loss("w", "signal 9");
    }

    /** Returns the loss of a worker for which the cluster could not be asked. */
    static Loss postponed() {
        return notStarted("w", "No answer.", ProcessEnd.Kind.UNAVAILABLE);
    }

    /** Returns the loss of a worker whose program never ran. */
    static Loss notStarted(String worker, String how, ProcessEnd.Kind kind) {
        ProcessEnd end = new ProcessEnd(ProcessState.FAILED, OptionalInt.empty(), EndCause.START_FAILED, how, kind);
        return new Loss(new WorkerTitle(worker), end);
    }

    /** Returns the loss of a worker that the platform ended. */
    static Loss loss(String worker, EndCause cause, String how) {
        return loss(worker, cause, how, List.of());
    }

    private static Loss loss(String worker, EndCause cause, String how, List<String> lastLines) {
        ProcessEnd end = new ProcessEnd(ProcessState.LOST, OptionalInt.empty(), cause, how, ProcessEnd.Kind.ENDED);
        return new Loss(new WorkerTitle(worker), end.withLastLines(lastLines));
    }

    /** Returns the loss of a worker that has run. */
    public static Loss loss(String worker, String how, String... lastLines) {
        return loss(worker, EndCause.EXITED, how, List.of(lastLines));
    }

    @Override
    public int takeNumbers(int count) {
        int first = nextNumber;
        nextNumber += count;
        return first;
    }

    @Override
    public void startWorkers(int firstWorker, int count) {
        lines.add("start " + firstWorker + " + " + count);
    }

    @Override
    public boolean assign(int worker, Chunk chunk) {
        sent.computeIfAbsent(worker, key -> new ArrayList<>()).add(chunk);
        return true;
    }

    @Override
    public void cancel(int worker, Chunk chunk) {
        lines.add("cancel at " + worker);
    }

    @Override
    public void grant(int worker, Chunk chunk, int item) {
        lines.add("grant " + item + " at " + worker);
    }

    @Override
    public void recall(int worker, Chunk chunk) {
        lines.add("recall of " + worker);
    }

    @Override
    public void drain(int worker) {
        lines.add("drain " + worker);
    }

    @Override
    public void shortOfWorkers(WorkersMissingException shortage, int failedStarts) {
        lines.add(shortage.getMessage());
    }

    @Override
    public void kill(int worker) {
        lines.add("kill " + worker);
    }

    @Override
    public void terminated(Optional<FiberException> cause) {
        lines.add("terminated");
    }
}
