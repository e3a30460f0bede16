// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.worker;

import static java.util.Objects.requireNonNull;

import io.fiber.function.RemoteRunnable;
import io.fiber.runtime.eventloop.Conductor;
import io.fiber.runtime.eventloop.Waiter;
import io.fiber.runtime.logging.LogContext;
import io.fiber.runtime.logging.Logs;
import io.fiber.runtime.protocol.ExitCode;
import io.fiber.runtime.protocol.Messages;
import io.fiber.runtime.protocol.Messages.Running;
import io.fiber.runtime.protocol.PayloadInput;
import io.fiber.runtime.protocol.PayloadOutput;
import io.fiber.runtime.protocol.ResultMark;
import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.runtime.protocol.codec.Input;
import io.fiber.runtime.rpc.CompletionHooks;
import io.fiber.runtime.security.SealException;
import io.fiber.runtime.security.Seals;
import io.fiber.runtime.serialization.FailureCodec;
import io.fiber.runtime.serialization.ValueCodec;
import io.fiber.runtime.serialization.ValueName;
import io.fiber.runtime.telemetry.Telemetry;
import java.lang.invoke.VarHandle;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.agrona.concurrent.OneToOneConcurrentArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * Runs user code on one thread. Work arrives from the conductor through a bounded queue, and reports return through
 * another; no exception of a task ends the thread. This thread sends its reports itself if the conductor is idle, and
 * parks while it has nothing to run.
 */
public final class TaskThread implements TaskExecutor, Runnable {

    private static final int QUEUE = 1 << 10;
    /** Results that took longer than this are sent before the rest of their chunk. */
    private static final long GREATEST_HOLD_NS = 20_000_000;

    /** While chunks follow each other, their reports are sent at least this often: each time costs system calls. */
    private static final long GREATEST_SILENCE_NS = 300_000;
    /** How long a thread whose reports find no room waits between two attempts to send. */
    private static final long PAUSE_WITHOUT_ROOM_NS = 1_000_000;

    private static final int GREATEST_HOLD_BYTES = 1 << 16;
    /**
     * A thread waits while the link has not taken more than this of its results. With more, a slow link would fill the heap;
     * with less, small results would not be sent while the next ones are computed.
     */
    private static final int GREATEST_UNSENT_BYTES = 1 << 20;

    private static final ValueName ARGUMENT = new ValueName("an argument", "a task");
    private static final ValueName RESULT = new ValueName("the result", "a task");

    private final Context context;
    private final ValueCodec values;
    private final OneToOneConcurrentArrayQueue<Work> work = new OneToOneConcurrentArrayQueue<>(QUEUE);
    private final OneToOneConcurrentArrayQueue<Report> reports = new OneToOneConcurrentArrayQueue<>(QUEUE);
    private final PayloadOutput out = new PayloadOutput();
    private final PartialResult partial = new PartialResult();
    private final ItemClock clock = new ItemClock();
    private final ItemWatch watch = new ItemWatch();
    /** The thread while it is parked without work. */
    private volatile @Nullable Thread sleeper;
    /** The thread while it waits for the link to take results. */
    private volatile @Nullable Thread sender;

    private final AtomicLong unsentBytes = new AtomicLong();
    /** The wait for the grant of an announced item. */
    private volatile @Nullable Waiter awaitedGrant;

    private long lastSentNs = System.nanoTime();
    /** Whether the results that were reported last ended their chunk. */
    private boolean endReported;
    /** How many of the unsent results are failures. */
    private int failed;
    /** The exception of the item that ran last, if the item may be tried again. */
    private @Nullable Throwable retryable;

    private long itemBeganNs;
    /** Where the result of a retried item starts. */
    private long itemMark;

    /** The process name for the program's own logging; null if it was set already or is not needed. */
    private @Nullable String untold;

    private @Nullable ProcessorWait processorWait;
    /** Whether the flight recorder records the next items. */
    private boolean recorded;

    TaskThread(Context context) {
        this.context = context;
        this.values = context.values;
    }

    /** Has the program's own logging name the process in records of this thread. Called before the thread starts. */
    TaskThread in(String process) {
        untold = process;
        return this;
    }

    @Override
    public boolean offer(Work item) {
        boolean taken = work.offer(item);
        // Otherwise this thread could find the other one awake before that one can see the work.
        VarHandle.fullFence();
        LockSupport.unpark(sleeper);
        return taken;
    }

    @Override
    public @Nullable Report peek() {
        return reports.peek();
    }

    @Override
    public void taken() {
        if (reports.poll() instanceof Report.Results results) {
            unsentBytes.addAndGet(-results.payload().length());
            LockSupport.unpark(sender);
        }
    }

    @Override
    public void granted(Work.Chunk chunk, int item) {
        chunk.grantedItem = item;
        endWait();
    }

    private void endWait() {
        Waiter waiter = awaitedGrant;
        if (waiter != null) {
            waiter.end();
        }
    }

    @Override
    public void cancel(Work.Chunk chunk, Running running) {
        chunk.cancelled = true;
        endWait();
        if (running == Running.INTERRUPTED) {
            watch.interrupt(chunk, context.conductor().nowNs());
        }
    }

    @Override
    public Work.@Nullable Chunk stuck(long nowNs, long graceNs) {
        // Between two items nothing runs.
        return sender == null ? watch.look(nowNs, graceNs) : null;
    }

    @Override
    public void run() {
        while (true) {
            if (!runNext()) {
                rest();
            }
        }
    }

    /** Runs the work that arrived next; returns false if there is none. */
    boolean runNext() {
        Work next = work.poll();
        if (next != null) {
            run(next);
        }
        return next != null;
    }

    /** Sends what is left to send, and sleeps until there is work. */
    private void rest() {
        if (!reports.isEmpty()) {
            send();
        }
        sleeper = Thread.currentThread();
        if (work.isEmpty()) {
            LockSupport.park(this);
        }
        sleeper = null;
        // An interrupt between tasks does not belong to a task, and would end each sleep at once.
        Thread.interrupted();
    }

    private void send() {
        lastSentNs = System.nanoTime();
        context.conductor().send(() -> {});
    }

    /**
     * Sets the process name in the program's logging. An initializer may set up that logging, so this comes after it.
     */
    private void tellLogging() {
        String process = untold;
        if (process != null) {
            untold = null;
            LogContext.enter(process);
        }
    }

    private void run(Work next) {
        if (next instanceof Work.Chunk chunk) {
            if (chunk.limit() > 0) {
                watch.enter(chunk);
                runChunk(chunk);
            }
        } else if (next instanceof Work.Initializer initializer) {
            report(call(initializer.function(), TaskThread::logFailure)
                    .<Report>map(failure -> new Report.Failed(failure, ExitCode.INITIALIZER_FAILED))
                    .orElseGet(Report.Initialized::new));
        } else if (next instanceof Work.Program program) {
            ProgramThreads threads = new ProgramThreads();
            tellLogging();
            Optional<SealedPayload> failure = call(program.function(), Throwable::printStackTrace);
            threads.awaitEnd();
            report(failure.<Report>map(thrown -> new Report.Failed(thrown, ExitCode.PROGRAM_FAILED))
                    .orElseGet(Report.ProgramEnded::new));
        }
    }

    /**
     * Logs a failure at a low level. All workers of a pool fail alike, and the master, which gets the exception, logs
     * it once.
     */
    private static void logFailure(Throwable thrown) {
        Logs.of(TaskThread.class)
                .log(
                        System.Logger.Level.DEBUG,
                        "The initializer or the program of this process threw an exception.",
                        thrown);
    }

    /** Calls an initializer or a program, and returns its encoded failure if it throws. */
    private Optional<SealedPayload> call(SentFunction function, Consumer<Throwable> printer) {
        Object program = null;
        try {
            program = function.decode(values, context.seals());
            SentFunction.call(program, null);
            beforeResult(false);
            return Optional.empty();
        } catch (Throwable thrown) {
            context.afterwards().afterFailure();
            print(thrown, program instanceof ReportedProgram ? TaskThread::logFailure : printer);
            context.failures().write(thrown, out);
            return Optional.of(context.seals().close(out.toPayload()));
        } finally {
            Thread.interrupted();
        }
    }

    /** Prints an exception. Its own methods belong to the program and may throw. */
    private static void print(Throwable thrown, Consumer<Throwable> printer) {
        try {
            printer.accept(thrown);
        } catch (RuntimeException | StackOverflowError e) {
            System.err.println(thrown.getClass().getName());
        }
    }

    private void runChunk(Work.Chunk chunk) {
        int done = 0;
        int reported = 0;
        Prepared prepared = null;
        endReported = false;
        failed = 0;
        partial.clear();
        recorded = Telemetry.isOn();
        ProcessorWait waits = processorWait == null ? ProcessorWait.ofThisThread() : processorWait;
        processorWait = waits;
        waits.begin(chunk.limit());
        boolean isFunctionRead = chunk.function.isDecoded();
        long sinceNs = System.nanoTime();
        clock.begin(sinceNs);
        while (!chunk.cancelled && chunk.claim()) {
            if (chunk.announced && !announceNext(chunk, done)) {
                break;
            }
            if (prepared == null) {
                prepared = prepare(chunk);
                if (!isFunctionRead) {
                    // Only the first chunk takes this time, so it says nothing about the next ones.
                    waits.begin(chunk.limit());
                    sinceNs = System.nanoTime();
                    clock.begin(sinceNs);
                }
            }
            runItem(prepared, chunk, done);
            done++;
            boolean owes = context.afterwards().areOwed();
            if (!clock.isDue() && !owes && mayGoOnUnseen(chunk, done)) {
                continue;
            }
            long nowNs = System.nanoTime();
            clock.seen(nowNs);
            recorded = Telemetry.isOn();
            if (retryable != null) {
                sinceNs = reportForRetry(chunk, reported, done, sinceNs);
                waits.skip();
                reported = done;
            } else if (owes || done == chunk.limit() || mustLeave(chunk, nowNs - sinceNs)) {
                boolean hasWaited = report(results(chunk, reported, done, waits.without(nowNs - sinceNs)));
                reported = done;
                sinceNs = nowNs;
                if (hasWaited) {
                    waits.skip();
                    sinceNs = System.nanoTime();
                }
            }
            if (owes && done < chunk.limit()) {
                report(new Report.Completed(context.afterwards().takeAll()));
            }
        }
        watch.leave();
        end(chunk, reported, done, waits.without(System.nanoTime() - sinceNs));
    }

    /**
     * Reports a failure after which its item may be tried again. It is sent alone, after the results that were held
     * before it.
     */
    private long reportForRetry(Work.Chunk chunk, int reported, int done, long sinceNs) {
        long endNs = System.nanoTime();
        int before = done - 1;
        Throwable thrown = requireNonNull(retryable, "retryable");
        retryable = null;
        out.truncate(itemMark);
        failed--;
        if (reported < before) {
            report(results(chunk, reported, before, itemBeganNs - sinceNs));
        }
        out.write(ResultMark.FAILURE);
        context.failures().write(thrown, out);
        failed = 1;
        report(results(chunk, before, done, endNs - itemBeganNs).forRetry());
        return System.nanoTime();
    }

    private boolean mayGoOnUnseen(Work.Chunk chunk, int done) {
        return retryable == null
                && done < chunk.limit()
                && !chunk.announced
                && chunk.deadlineNs == 0
                && out.length() <= GREATEST_HOLD_BYTES;
    }

    /**
     * Returns whether results must be sent now. Quick results wait for more, except in a chunk whose items are counted
     * singly.
     */
    private boolean mustLeave(Work.Chunk chunk, long heldNs) {
        return chunk.announced
                || chunk.deadlineNs > 0
                || heldNs > GREATEST_HOLD_NS
                || out.length() > GREATEST_HOLD_BYTES;
    }

    private Report.Results results(Work.Chunk chunk, int reported, int done, long busyNs) {
        writePartial();
        context.heapGrowth().onPayload(out.length());
        SealedPayload payload = context.seals().close(out.toPayload());
        endReported = done == chunk.limit() && !context.afterwards().areOwed();
        int failures = failed;
        failed = 0;
        return new Report.Results(
                chunk.id, chunk.attempt, reported, done - reported, failures, false, busyNs, payload, endReported);
    }

    private void writePartial() {
        if (partial.isEmpty()) {
            return;
        }
        try {
            values.write(partial.take(), out, RESULT);
        } catch (Throwable thrown) {
            writeFailure(thrown);
        }
    }

    /** Ends a chunk. If the chunk was shortened meanwhile, its last results may not have been marked as the last. */
    private void end(Work.Chunk chunk, int reported, int done, long busyNs) {
        if (done < chunk.limit()) {
            out.toPayload();
            report(new Report.Dropped(chunk.id, chunk.attempt));
        } else if (reported < done) {
            report(results(chunk, reported, done, busyNs));
        }
        if (!endReported) {
            endReported = true;
            report(new Report.Ended(chunk.id, context.afterwards().takeAll()));
        }
    }

    /**
     * Prepares a chunk. This may run user code, which may end the worker; the master has noted before what starts in an
     * announced chunk.
     */
    private Prepared prepare(Work.Chunk chunk) {
        try {
            tellLogging();
            Object function = chunk.function.decode(values, context.seals());
            Object called = function instanceof RetriedFunction retried ? retried.function() : function;
            CombinedFunction<?, ?> combined = called instanceof CombinedFunction<?, ?> it ? it : null;
            return new Prepared(function, combined, null, openItems(chunk));
        } catch (Throwable thrown) {
            return new Prepared(null, null, thrown, null);
        }
    }

    private void runItem(Prepared prepared, Work.Chunk chunk, int index) {
        if (chunk.deadlineNs == 0) {
            callFunction(prepared, chunk, index);
            Thread.interrupted();
            return;
        }
        long mark = out.length();
        int failedBefore = failed;
        watch.begins(System.nanoTime());
        callFunction(prepared, chunk, index);
        if (watch.endsOverdue(System.nanoTime())) {
            out.truncate(mark);
            out.write(ResultMark.OVERDUE);
            // Items with a deadline are answered one by one: it holds no other result.
            partial.clear();
            retryable = null;
            failed = failedBefore + 1;
        }
    }

    private @Nullable PayloadInput openItems(Work.Chunk chunk) throws SealException {
        if (chunk.input != Input.ITEMS) {
            return null;
        }
        context.heapGrowth().onPayload(chunk.payload.length());
        PayloadInput in = context.seals().open(chunk.payload).openForOwner();
        for (int i = 0; i < chunk.passOver; i++) {
            values.skip(in, ARGUMENT);
        }
        return in;
    }

    private void callFunction(Prepared prepared, Work.Chunk chunk, int index) {
        Object function = prepared.function;
        Telemetry.TaskEvent span = recorded ? Telemetry.task(chunk.id, chunk.attempt, index) : null;
        try {
            if (function == null) {
                throw requireNonNull(prepared.broken);
            }
            Object item;
            if (prepared.in != null) {
                item = values.read(prepared.in, prepared.itemName());
            } else if (chunk.input == Input.INT_RANGE) {
                item = (int) (chunk.firstValue + index);
            } else {
                item = chunk.input == Input.LONG_RANGE ? chunk.firstValue + index : null;
            }
            Object result = function instanceof RetriedFunction retried
                    ? callRetried(retried, item)
                    : SentFunction.call(function, item);
            beforeResult(chunk.cancelled);
            CombinedFunction<?, ?> combined = prepared.combined;
            if (combined == null) {
                values.write(result, out, RESULT);
            } else {
                partial.add(combined, result);
                out.write(ResultMark.COMBINED);
            }
            if (span != null) {
                span.end(null);
            }
        } catch (Throwable thrown) {
            if (span != null) {
                span.end(thrown);
            }
            context.afterwards().afterFailure();
            writeFailure(thrown);
        }
    }

    /** An interrupt that the task has left behind was meant for the task, unless it is cancelled. */
    private void beforeResult(boolean isCancelled) {
        if (!isCancelled) {
            Thread.interrupted();
        }
        context.afterwards().beforeResult();
    }

    private void writeFailure(Throwable thrown) {
        out.write(ResultMark.FAILURE);
        failed++;
        context.failures().write(thrown, out);
    }

    private @Nullable Object callRetried(RetriedFunction retried, @Nullable Object item) throws Exception {
        itemBeganNs = System.nanoTime();
        itemMark = out.length();
        try {
            return SentFunction.call(retried.function(), item);
        } catch (Throwable thrown) {
            retryable = retried.allows(thrown) ? thrown : null;
            throw thrown;
        }
    }

    /**
     * Announces an item, and before the first one the function if it has yet to be deserialized. So the master can tell
     * whether a lost worker ended because of the function, or of an argument or a task.
     */
    private boolean announceNext(Work.Chunk chunk, int item) {
        if (item == 0 && !chunk.function.isDecoded()) {
            if (!announce(chunk, Messages.FUNCTION)) {
                return false;
            }
            try {
                chunk.function.decode(values, context.seals());
            } catch (Throwable thrown) {
                // Every item of the chunk reports it.
            }
        }
        return announce(chunk, item);
    }

    /**
     * Waits until the master has noted that the item starts. From now on the item counts, whatever happens to either of
     * them or to their link. An item starts with the deserialization of its argument. Returns false if the chunk was
     * cancelled meanwhile; the interrupt that said so was meant for this wait, not for a task.
     */
    private boolean announce(Work.Chunk chunk, int item) {
        report(new Report.Begun(chunk.id, chunk.attempt, item));
        while (chunk.grantedItem != item && !chunk.cancelled) {
            awaitGrant(chunk, item);
        }
        Thread.interrupted();
        return !chunk.cancelled;
    }

    private void awaitGrant(Work.Chunk chunk, int item) {
        Waiter waiter = new Waiter();
        awaitedGrant = waiter;
        if (chunk.grantedItem == item || chunk.cancelled) {
            waiter.end();
        }
        try {
            context.conductor().await(() -> {}, waiter, Long.MAX_VALUE);
        } catch (InterruptedException e) {
            // The chunk was cancelled.
        } finally {
            awaitedGrant = null;
        }
    }

    /**
     * Reports to the conductor. Reports are sent after the last chunk, and if the last time was a while ago; the I/O
     * thread sends the others within some milliseconds. Returns whether it has waited.
     */
    private boolean report(Report report) {
        if (report instanceof Report.Results results) {
            unsentBytes.addAndGet(results.payload().length());
        }
        while (!reports.offer(report)) {
            send();
            LockSupport.parkNanos(this, PAUSE_WITHOUT_ROOM_NS);
        }
        boolean hasWaited = unsentBytes.get() > GREATEST_UNSENT_BYTES;
        if (hasWaited) {
            awaitRoom();
        }
        // If nothing is left to run, this thread sends next.
        boolean isLast = endReported && work.isEmpty();
        if (!isLast && System.nanoTime() - lastSentNs > GREATEST_SILENCE_NS) {
            send();
        }
        return hasWaited;
    }

    /** Waits until the link has taken most of the results. */
    private void awaitRoom() {
        sender = Thread.currentThread();
        send();
        while (unsentBytes.get() > GREATEST_UNSENT_BYTES) {
            LockSupport.park(this);
            // An interrupt would end each further wait at once.
            watch.hasRested();
        }
        watch.hasRested();
        sender = null;
    }

    /** What a task thread needs from its process. */
    public record Context(
            ValueCodec values,
            FailureCodec failures,
            Seals seals,
            Conductor conductor,
            CompletionHooks afterwards,
            HeapGrowth heapGrowth) {

        public Context(
                ValueCodec values,
                FailureCodec failures,
                Seals seals,
                Conductor conductor,
                CompletionHooks afterwards) {
            this(values, failures, seals, conductor, afterwards, new HeapGrowth());
        }
    }

    /**
     * A program of Fiber's own whose exceptions are not logged here, because they are sent to its owner, who reports
     * them.
     */
    public interface ReportedProgram extends RemoteRunnable {}

    /**
     * What an item needs: the function or why there is none, the combination of results if any, and the source of the
     * items.
     */
    private record Prepared(
            @Nullable Object function,
            @Nullable CombinedFunction<?, ?> combined,
            @Nullable Throwable broken,
            @Nullable PayloadInput in) {

        /** Returns what the items are in errors. */
        ValueName itemName() {
            Object called = function instanceof RetriedFunction retried ? retried.function() : function;
            return called instanceof SubmittedTask ? SentFunction.FUNCTION : ARGUMENT;
        }
    }
}
