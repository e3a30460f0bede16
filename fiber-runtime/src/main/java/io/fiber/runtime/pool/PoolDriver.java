// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.fiber.FiberException;
import io.fiber.PoolState;
import io.fiber.PoolStatistics;
import io.fiber.RemoteTaskException;
import io.fiber.WorkersMissingException;
import io.fiber.runtime.eventloop.Duty;
import io.fiber.runtime.logging.Logs;
import io.fiber.runtime.platform.ProcessUsage;
import io.fiber.runtime.pool.scheduling.Chunk;
import io.fiber.runtime.pool.scheduling.Loss;
import io.fiber.runtime.pool.scheduling.PoolCounts;
import io.fiber.runtime.pool.scheduling.PoolEffects;
import io.fiber.runtime.pool.scheduling.PoolLimits;
import io.fiber.runtime.pool.scheduling.PoolMachine;
import io.fiber.runtime.pool.scheduling.TaskFunction;
import io.fiber.runtime.process.RemoteWorker;
import io.fiber.runtime.process.WorkerSupervisor;
import io.fiber.runtime.process.WorkerTitle;
import io.fiber.runtime.protocol.Messages;
import io.fiber.runtime.protocol.Outgoing;
import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.runtime.protocol.WorkerRole;
import io.fiber.runtime.telemetry.Telemetry;
import io.fiber.spi.backend.Job;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.agrona.collections.Int2ObjectHashMap;
import org.agrona.collections.Long2ObjectHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Joins the pool's machine with its workers: effects become messages and jobs, messages become events. Belongs to the
 * conductor; {@link #statistics} may be called by any thread.
 */
final class PoolDriver implements PoolEffects, Duty {

    /** Of so many workers that have ended last the log can still be had. */
    private static final int GREATEST_ENDED_JOBS = 16;

    final Staff staff;
    final WorkerSupervisor supervisor;
    final PoolMachine machine;
    private final PoolLimits limits;
    private final Int2ObjectHashMap<PoolWorker> members = new Int2ObjectHashMap<>();
    /** The events of chunks at workers, while the flight recorder is on. */
    private final Long2ObjectHashMap<Telemetry.ChunkEvent> spans = new Long2ObjectHashMap<>();

    private final ArrayDeque<Job> endedJobs = new ArrayDeque<>();
    private final ReadyWaiters readyWaiters;
    private final StalledPoolNotifier stalledNotifier;
    private final LostWorkersNotifier lostNotifier;
    private final List<TaskFunction> retiring = new ArrayList<>();
    final CompletableFuture<@Nullable Void> terminated = new CompletableFuture<>();
    /** Completed when nothing runs any more, if the program is about to end. */
    private @Nullable CompletableFuture<@Nullable Void> quiet;
    /** What the initializer threw when that was last reported. */
    private @Nullable String warnedOf;

    /** How many workers there should be. Any thread may read and set it; the machine hears of that soon. */
    volatile int workers;

    private volatile PoolState state = PoolState.RUNNING;
    /** What the pool's holder has asked for. */
    private volatile PoolState wanted = PoolState.RUNNING;

    private volatile PoolStatistics statistics = PoolCounts.NONE;

    PoolDriver(Staff staff, PoolLimits limits, WorkerSupervisor supervisor) {
        this.staff = staff;
        this.supervisor = supervisor;
        this.limits = limits;
        this.workers = limits.workers();
        this.readyWaiters = new ReadyWaiters(staff.name());
        this.stalledNotifier = new StalledPoolNotifier(
                staff.name(), this::reasons, line -> Logs.of(PoolDriver.class).log(System.Logger.Level.INFO, line));
        this.lostNotifier = new LostWorkersNotifier(
                staff.name(), line -> Logs.of(PoolDriver.class).log(System.Logger.Level.WARNING, line));
        this.machine = new PoolMachine(staff.name(), limits, this);
        staff.adaptive()
                .ifPresent(range -> machine.onAdapt(range.min(), range.max(), NANOSECONDS.convert(range.idle())));
    }

    PoolState state() {
        PoolState known = state;
        return known == PoolState.RUNNING ? wanted : known;
    }

    /** Lets no call in from this moment on; the machine will hear of it soon. Any thread may call it. */
    void refuseFrom(PoolState next) {
        if (wanted.compareTo(next) < 0) {
            wanted = next;
        }
    }

    PoolStatistics statistics() {
        return statistics;
    }

    /** Completes {@code waiter} when all workers are ready, or the pool ends. */
    void awaitReady(CompletableFuture<@Nullable Void> waiter) {
        machine.onStart();
        readyWaiters.add(waiter);
        // No cycle follows for a pool that has ended.
        readyWaiters.answer(machine);
    }

    /** Hands out nothing from now on; completes {@code whenQuiet} when nothing runs any more. */
    void hold(CompletableFuture<@Nullable Void> whenQuiet) {
        machine.onHold();
        quiet = whenQuiet;
    }

    /** No call will name the function any more, once those that do have ended. */
    void retire(TaskFunction function) {
        retiring.add(function);
    }

    @Override
    public int doWork(long nowNs) {
        int work = machine.onCycleEnd(nowNs);
        state = machine.state();
        if (staff.adaptive().isPresent()) {
            workers = machine.wantedWorkers();
        }
        if (!retiring.isEmpty()) {
            forgetUnused();
        }
        readyWaiters.answer(machine);
        if (quiet != null && machine.isQuiet()) {
            quiet.complete(null);
        }
        stalledNotifier.look(machine.workersUp(), machine.workers(), nowNs);
        lostNotifier.look(nowNs);
        return work;
    }

    @Override
    public boolean isTimed() {
        return machine.isTimed() || staff.adaptive().isPresent() || !retiring.isEmpty() || lostNotifier.isTimed();
    }

    @Override
    public void onClose() {
        end(() -> new FiberException(
                "FBR-404",
                "Pool '" + staff.name()
                        + "' ended before its tasks were done: the I/O thread of its session has stopped."
                        + " The log says why; open another session."));
    }

    @Override
    public void onFault(Throwable fault) {
        end(() -> stopped(fault));
    }

    /** Returns what calls fail with that cannot be ended in order. */
    FiberException stopped(Throwable fault) {
        return new FiberException(
                "FBR-404",
                "Pool '" + staff.name()
                        + "' ended before its tasks were done: the I/O thread of its session has stopped, because of "
                        + fault + ". Open another session"
                        + (fault instanceof OutOfMemoryError
                                ? ", with more memory for this process (-Xmx) or less of it in use at a time."
                                : "."),
                fault);
    }

    private void end(Supplier<FiberException> why) {
        try {
            machine.fail(why);
        } finally {
            readyWaiters.answer(machine);
            if (state != PoolState.TERMINATED) {
                terminated(machine.cause());
            }
        }
    }

    private void forgetUnused() {
        for (Iterator<TaskFunction> functions = retiring.iterator(); functions.hasNext(); ) {
            TaskFunction function = functions.next();
            if (!function.isInUse()) {
                functions.remove();
                members.values().forEach(member -> member.forget(function.id()));
            }
        }
    }

    /** All workers fail alike, and a pool goes on starting others. */
    void warnOnce(FiberException initializerThrew) {
        String what = initializerThrew instanceof RemoteTaskException remote
                ? remote.remoteStackTrace()
                : String.valueOf(initializerThrew.getMessage());
        if (!what.equals(warnedOf)) {
            warnedOf = what;
            Logs.of(PoolDriver.class)
                    .log(
                            System.Logger.Level.WARNING,
                            "FBR-408 A worker of pool '" + staff.name()
                                    + "' did not start, because its initializer failed. Fiber starts another one, and"
                                    + " does not report the same error again. " + initializerThrew.getMessage());
        }
    }

    /** Returns the jobs that have ended last, and those that live. */
    List<Job> jobs() {
        List<Job> jobs = new ArrayList<>(endedJobs);
        for (PoolWorker member : members.values()) {
            Job job = member.remote == null ? null : member.remote.job();
            if (job != null) {
                jobs.add(job);
            }
        }
        return jobs;
    }

    private String name(int worker) {
        return staff.jobPrefix() + "-" + worker;
    }

    private @Nullable RemoteWorker remote(int worker) {
        PoolWorker member = members.get(worker);
        return member == null ? null : member.remote;
    }

    @Override
    public WorkerTitle title(int worker) {
        RemoteWorker remote = remote(worker);
        return remote == null ? new WorkerTitle(name(worker)) : remote.title();
    }

    @Override
    public Optional<String> waitsFor(int worker) {
        RemoteWorker remote = remote(worker);
        return remote == null ? Optional.empty() : remote.waitsFor();
    }

    /** Returns why jobs have not begun to run, by the names of their workers. */
    private Map<String, String> reasons() {
        Map<String, String> reasons = new LinkedHashMap<>();
        for (PoolWorker member : members.values()) {
            waitsFor(member.number)
                    .ifPresent(reason -> reasons.put(title(member.number).name(), reason));
        }
        return reasons;
    }

    @Override
    public Optional<ProcessUsage> measure(int worker) {
        RemoteWorker remote = remote(worker);
        return remote == null ? Optional.empty() : remote.measure();
    }

    /** Brings the counters up to date and returns them. */
    PoolStatistics count() {
        statistics = machine.statistics();
        return statistics;
    }

    void ended(int worker, @Nullable Job job) {
        members.remove(worker);
        if (job != null) {
            endedJobs.add(job);
        }
        if (endedJobs.size() > GREATEST_ENDED_JOBS) {
            endedJobs.remove();
        }
    }

    @Override
    public int takeNumbers(int count) {
        return supervisor.takeNumbers(count);
    }

    @Override
    public void startWorkers(int firstWorker, int count) {
        WorkerRole.Kind kind =
                staff.initializer().isPresent() ? WorkerRole.Kind.POOL_WITH_INITIALIZER : WorkerRole.Kind.POOL;
        List<WorkerSupervisor.WorkerRequest> requests = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            PoolWorker member = new PoolWorker(firstWorker + i, this);
            members.put(member.number, member);
            requests.add(new WorkerSupervisor.WorkerRequest(
                    member.number, name(member.number), kind, limits.threads(), member));
        }
        supervisor.start(staff.needs().spec(), requests);
    }

    @Override
    public boolean assign(int worker, Chunk chunk) {
        PoolWorker member = members.get(worker);
        boolean isTaken = member != null && member.offer(chunk);
        if (isTaken && Telemetry.isOn()) {
            spans.put(
                    chunk.id(),
                    new Telemetry.ChunkEvent(new Telemetry.Load(
                            staff.name(),
                            chunk.call().runs(),
                            worker,
                            chunk.id(),
                            chunk.attempt(),
                            chunk.items().firstIndex(),
                            chunk.items().count())));
        }
        return isTaken;
    }

    @Override
    public void released(Chunk chunk) {
        Telemetry.Outcome stopped = chunk.isCancelled() ? Telemetry.Outcome.CANCELLED : Telemetry.Outcome.TAKEN_BACK;
        endSpan(chunk, chunk.isDone() ? Telemetry.Outcome.DONE : stopped);
    }

    @Override
    public void lost(Chunk chunk) {
        endSpan(chunk, Telemetry.Outcome.LOST);
    }

    private void endSpan(Chunk chunk, Telemetry.Outcome how) {
        Telemetry.ChunkEvent span = spans.isEmpty() ? null : spans.remove(chunk.id());
        if (span != null) {
            span.end(how, chunk.answered(), chunk.failed());
        }
    }

    @Override
    public void cancel(int worker, Chunk chunk) {
        post(worker, Messages.cancel(chunk.id(), chunk.call().running()));
    }

    @Override
    public void grant(int worker, Chunk chunk, int item) {
        post(worker, Messages.granted(chunk.id(), item));
    }

    @Override
    public void recall(int worker, Chunk chunk) {
        post(worker, Messages.recall(chunk.id()));
    }

    @Override
    public void drain(int worker) {
        post(worker, Messages.drain());
    }

    private void post(int worker, Outgoing message) {
        RemoteWorker remote = remote(worker);
        if (remote != null) {
            remote.post(message);
        }
    }

    @Override
    public void kill(int worker) {
        PoolWorker member = members.get(worker);
        if (member != null) {
            member.kill();
        }
    }

    @Override
    public void lost(Loss loss, long itemsAgain, long itemsFailed, long nowNs) {
        lostNotifier.lost(loss, itemsAgain, itemsFailed, nowNs);
    }

    @Override
    public void shortOfWorkers(WorkersMissingException shortage, int failedStarts) {
        if (failedStarts == limits.maxFailedStarts()) {
            Logs.of(PoolDriver.class).log(System.Logger.Level.WARNING, shortage.getMessage());
        }
        readyWaiters.fail(shortage);
    }

    @Override
    public void terminated(Optional<FiberException> cause) {
        lostNotifier.tellRest(supervisor.nowNs());
        count();
        state = PoolState.TERMINATED;
        terminated.complete(null);
    }

    /** What a pool's workers are. */
    record Staff(
            String name,
            String jobPrefix,
            PoolNeeds needs,
            Optional<PoolSettings.Adaptive> adaptive,
            Optional<SealedPayload> initializer,
            FailureReading failures) {}

    /** Reads what the initializer of a worker threw, by another thread: it is an object of the program. */
    interface FailureReading {
        /** Has {@code then} called by the conductor, with what was thrown or why it cannot be read. */
        void read(WorkerTitle worker, SealedPayload failure, Consumer<FiberException> then);
    }
}
