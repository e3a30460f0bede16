// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import static java.util.Objects.requireNonNull;
import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.fiber.CallOptions;
import io.fiber.Outcome;
import io.fiber.PoolClosedException;
import io.fiber.PoolState;
import io.fiber.Retry;
import io.fiber.WaitInterruptedException;
import io.fiber.function.RemoteCallable;
import io.fiber.function.RemoteFunction;
import io.fiber.function.RemoteRunnable;
import io.fiber.runtime.config.Debugging;
import io.fiber.runtime.journal.ItemDigest;
import io.fiber.runtime.journal.JournaledCall;
import io.fiber.runtime.journal.JournaledFunction;
import io.fiber.runtime.journal.Journals;
import io.fiber.runtime.logging.Faults;
import io.fiber.runtime.platform.Sha256;
import io.fiber.runtime.pool.PoolTask.JdkTask;
import io.fiber.runtime.pool.progress.CallProgress;
import io.fiber.runtime.pool.progress.Displays;
import io.fiber.runtime.pool.scheduling.Answer;
import io.fiber.runtime.pool.scheduling.Call;
import io.fiber.runtime.pool.scheduling.CallSink;
import io.fiber.runtime.pool.scheduling.CallTitle;
import io.fiber.runtime.pool.scheduling.ItemSource;
import io.fiber.runtime.pool.scheduling.Source;
import io.fiber.runtime.pool.scheduling.TaskFunction;
import io.fiber.runtime.process.SessionContext;
import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.protocol.PayloadInput;
import io.fiber.runtime.protocol.PayloadOutput;
import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.runtime.rpc.UnderWay;
import io.fiber.runtime.serialization.ValueName;
import io.fiber.runtime.serialization.functions.FunctionName;
import io.fiber.runtime.serialization.functions.FunctionResources;
import io.fiber.runtime.worker.CombinedFunction;
import io.fiber.runtime.worker.RetriedFunction;
import io.fiber.runtime.worker.SubmittedTask;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * The callers' side of a pool: serializes what is asked, hands it to the conductor, and reads the answers in the threads
 * of those who asked. Thread-safe.
 *
 * <p>A call that the conductor has is waited for when its pool is closed, so it must end also where its caller finds no
 * memory to go on: all that belongs to it is made before it begins, what cancels it included.
 */
final class CallEngine {

    private static final ValueName FUNCTION = new ValueName("the function", "a call");
    private static final ValueName ARGUMENT = new ValueName("the argument", "a call");

    final String pool;
    /** What is waited for, in the words of an error. */
    private final String awaited;

    final PoolDriver driver;
    final SessionContext tools;
    private final FunctionCache functions;
    private final Shared shared;
    /** The streams of results that were given out. */
    final OpenStreams streams = new OpenStreams();

    private final AtomicLong calls = new AtomicLong();

    CallEngine(String pool, PoolDriver driver, SessionContext tools, Shared shared) {
        this.shared = shared;
        this.pool = pool;
        this.awaited = "the results of a call to pool '" + pool + "'";
        this.driver = driver;
        this.tools = tools;
        this.functions = new FunctionCache(function -> tools.conductor().execute(() -> driver.retire(function)));
    }

    private Asked asked(Object function, CallTitle.Tasks tasks, CallOptions options) {
        CallTitle title = new CallTitle(pool, calls.incrementAndGet(), FunctionName.of(function), tasks);
        return new Asked(function, options, new ResultReader(tools.codecs(), tools.seals(), title));
    }

    @Nullable
    Object apply(Single single, CallOptions options) {
        Asked asked = asked(single.function(), CallTitle.Tasks.ONE, options);
        ConsumerParking parking = parking();
        Answers answers = answers(Answers.Room.UNBOUNDED, 1, parking);
        PayloadOutput out = new PayloadOutput();
        out.referToArrays();
        Optional<CallHandle> call = submitOne(asked, single, out, answers);
        try {
            parking.await(() -> !answers.isEmpty());
        } catch (WaitInterruptedException e) {
            call.ifPresent(CallHandle::cancel);
            throw e;
        }
        return single(answers.poll(), asked.reader());
    }

    <R extends @Nullable Object> CompletableFuture<R> applyAsync(Single single, CallOptions options) {
        Asked asked = asked(single.function(), CallTitle.Tasks.ONE, options);
        ResultReader reader = asked.reader();
        CallFuture<R> future = new CallFuture<>();
        SingleAnswer answer = new SingleAnswer(tools.callbacks(), event -> complete(future, event, reader));
        underWay(future);
        Optional<CallHandle> call;
        try {
            call = submitOne(asked, single, new PayloadOutput(), answer);
        } catch (RuntimeException | Error e) {
            future.cancel(false);
            throw e;
        }
        call.ifPresent(running -> future.onCancel(running::cancel));
        return future;
    }

    @SuppressWarnings("unchecked")
    private static <R extends @Nullable Object> void complete(CallFuture<R> future, Answer event, ResultReader reader) {
        if (future.isDone()) {
            return;
        }
        try {
            future.complete((R) single(event, reader));
        } catch (Throwable thrown) {
            Faults.fail(future, thrown);
        }
    }

    private static @Nullable Object single(@Nullable Answer event, ResultReader reader) {
        if (event instanceof Answer.Block block) {
            return reader.read(reader.open(block), block, block.firstIndex());
        }
        if (event instanceof Answer.Refused refused) {
            throw reader.refused(refused);
        }
        if (event instanceof Answer.Broken broken) {
            throw broken.thrown();
        }
        throw new IllegalStateException("A call of one task ended without a result.");
    }

    List<@Nullable Object> map(Object function, Inputs inputs, CallOptions options) {
        ResultArray results = new ResultArray();
        MapCall map = prepareMap(function, inputs, MapCall.Reading.ALL, options);
        map.begin();
        map.collect(results);
        return results.toList();
    }

    /**
     * Runs tasks and waits for what their results are combined to, behind an initial value. A journal records each result,
     * which workers must not combine then.
     */
    <R extends @Nullable Object> R mapReduce(
            CombinedFunction<?, R> function, Inputs inputs, R initial, CallOptions options) {
        CombinedResult<R> result = new CombinedResult<>(function);
        Object travels = options.journal().isPresent() ? function.function() : function;
        MapCall map = prepareMap(travels, inputs, MapCall.Reading.CONSUMED, options);
        map.begin();
        map.collect(result);
        return result.behind(initial);
    }

    private MapCall prepareMap(Object function, Inputs inputs, MapCall.Reading reading, CallOptions options) {
        try {
            requireOpen();
            Optional<JournaledFunction> journaled = shared.journals().find(function, options);
            Optional<JournaledCall> journal = journaled.isEmpty()
                    ? Optional.empty()
                    : Optional.of(journaled.get().begin(inputs.total()));
            Inputs given = journal.isPresent() ? inputs.oneByOne() : inputs;
            return new MapCall(this, asked(function, CallTitle.Tasks.MANY, options), given, reading, journal);
        } catch (RuntimeException | Error e) {
            inputs.close();
            throw e;
        }
    }

    /** Runs tasks; a thread of the session waits for the results. */
    @SuppressWarnings("unchecked")
    <R extends @Nullable Object> CompletableFuture<List<R>> mapAsync(
            Object function, Inputs inputs, CallOptions options) {
        MapCall map = prepareMap(function, inputs, MapCall.Reading.ALL, options);
        CallFuture<List<R>> future = new CallFuture<>();
        future.onCancel(running -> {
            map.answers.onBroken(new PoolClosedException(pool, driver.state()));
            map.call.cancel(running);
        });
        ResultArray results = new ResultArray();
        Runnable finish = () -> {
            try {
                map.collect(results);
                future.complete((List<R>) results.toList());
            } catch (Throwable thrown) {
                Faults.fail(future, thrown);
            }
        };
        underWay(future);
        try {
            map.begin();
            map.inBackground(finish);
        } catch (RuntimeException | Error e) {
            future.cancel(false);
            throw e;
        }
        return future;
    }

    private void underWay(CallFuture<?> future) {
        tools.process().underWay().add(UnderWay.Kind.CALL, future);
    }

    /** Runs tasks and waits until all have ended. They have no results. */
    void forEach(Object action, Inputs inputs, CallOptions options) {
        MapCall map = prepareMap(action, inputs, MapCall.Reading.CONSUMED, options);
        map.begin();
        map.collect((block, reader) -> {
            PayloadInput in = reader.open(block);
            for (int i = 0; i < block.count(); i++) {
                reader.read(in, block, block.firstIndex() + i);
            }
        });
    }

    /** Checks that a function can be serialized. */
    void requireTravels(Object function) {
        requireOpen();
        written(function);
    }

    /** Runs tasks as their results are asked for. */
    Stream<@Nullable Object> imap(Object function, Inputs inputs, ResultIterator.Order order, CallOptions options) {
        return stream(function, inputs, order, results -> results, options);
    }

    /** Runs tasks as their results and failures are asked for. */
    Stream<Outcome<@Nullable Object>> outcomes(Object function, Inputs inputs, CallOptions options) {
        return stream(function, inputs, ResultIterator.Order.INPUT, ResultIterator::outcomes, options);
    }

    private <E extends @Nullable Object> Stream<E> stream(
            Object function,
            Inputs inputs,
            ResultIterator.Order order,
            Function<ResultIterator, Iterator<E>> elements,
            CallOptions options) {
        MapCall map = prepareMap(function, inputs, MapCall.Reading.AS_ASKED, options);
        ResultIterator results =
                new ResultIterator(map.answers, map.parking, map.reader, order, map.answers::awaitEndTold);
        Spliterator<E> spliterator = Spliterators.spliteratorUnknownSize(elements.apply(results), Spliterator.ORDERED);
        Stream<E> stream = StreamSupport.stream(spliterator, false).onClose(() -> {
            map.call.cancel();
            map.answers.awaitEndTold();
        });
        streams.add(stream, results, map.call);
        map.begin();
        map.feedInBackground();
        return stream;
    }

    ConsumerParking parking() {
        return new ConsumerParking(awaited);
    }

    Answers answers(Answers.Room room, int wakeAtItems, ConsumerParking parking) {
        return new Answers(room, wakeAtItems, parking::wake, tools.conductor()::wake);
    }

    /**
     * Submits a call of one item as soon as the session's budget has room for it.
     *
     * @return empty if the answer was recorded
     */
    private Optional<CallHandle> submitOne(Asked asked, Single single, PayloadOutput out, CallSink answers) {
        Optional<JournaledFunction> journaled = shared.journals().find(single.function(), asked.options());
        // A journal knows a task by its function.
        Optional<Task> task = journaled.isPresent() ? Optional.empty() : single.task();
        if (task.isPresent()) {
            tools.codecs().values().writeFunction(task.get().item(), out, FUNCTION);
        } else {
            tools.codecs().values().write(single.item(), out, ARGUMENT);
        }
        requireOpen();
        CallSink sink = answers;
        if (journaled.isPresent()) {
            ItemDigest digest =
                    ItemDigest.of(out, 0, tools.codecs().values().codeOf(single.item()), Sha256.newDigest());
            Optional<Payload> recorded = journaled.get().takeSingle(digest);
            if (recorded.isPresent()) {
                answers.onAnswer(new Answer.Block(0, 1, tools.seals().close(recorded.get())));
                return Optional.empty();
            }
            CallJournal journal = new CallJournal(journaled.get().singles(), answers, tools);
            journal.await(0, digest);
            sink = journal;
        }
        Object called = task.<Object>map(Task::function).orElseGet(single::function);
        return Optional.of(submitOne(asked, called, tools.seals().close(out.toPayload()), sink));
    }

    private CallHandle submitOne(Asked asked, Object called, SealedPayload argument, CallSink answers) {
        int units = tools.budget().units(argument.length());
        try {
            tools.budget().take(units);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new WaitInterruptedException("room for the argument of a call to pool '" + pool + "'", e);
        }
        try {
            ItemSource source = new ItemSource(argument, () -> tools.budget().giveBack(units));
            CallHandle call = prepare(asked, called, source, answers);
            call.begin();
            return call;
        } catch (RuntimeException | Error e) {
            tools.budget().giveBack(units);
            throw e;
        }
    }

    /**
     * Makes a call, which is not begun.
     *
     * @param called what workers call with each item
     */
    CallHandle prepare(Asked asked, Object called, Source source, CallSink answers) {
        requireOpen();
        CallOptions options = asked.options();
        TaskFunction travelling = travelling(RetriedFunction.of(called, options.retry()));
        driver.staff
                .needs()
                .require(options.resources()
                        .filter(needed -> !needed.isUnspecified())
                        .map(needed -> new FunctionResources(needed, "resources(...) of the call"))
                        .orElseGet(() -> FunctionResources.of(asked.function())));
        Call call = new Call(travelling, source, limits(options, shared.debugging()), answers);
        call.named(asked.reader().call);
        return new CallHandle(driver, tools.conductor(), call);
    }

    private TaskFunction travelling(Object function) {
        return function instanceof SubmittedTask task
                ? functions.of(task, () -> written(task), tools.seals())
                : functions.of(written(function), tools.seals());
    }

    private Payload written(Object function) {
        PayloadOutput out = new PayloadOutput();
        tools.codecs().values().writeFunction(function, out, FUNCTION);
        return out.toPayload();
    }

    /** Returns what tells listeners how far a call has come. */
    CallProgress progress(Asked asked, OptionalLong total) {
        return new CallProgress(
                new CallProgress.Audience(
                        asked.options().progress(), shared.displays(), tools.blocking(), System::nanoTime),
                asked.reader().call,
                total);
    }

    static Call.Limits limits(CallOptions options, Debugging debugging) {
        return new Call.Limits(
                options.chunkSize().orElse(0),
                Math.min(options.maxReruns().orElse(0), Integer.MAX_VALUE - 1) + 1,
                debugging.deadline(options.deadline()).map(NANOSECONDS::convert).orElse(0L),
                options.retry().orElseGet(() -> Retry.times(0)));
    }

    private void requireOpen() {
        PoolState state = driver.state();
        if (state != PoolState.RUNNING) {
            throw driver.machine.cause().orElseGet(() -> new PoolClosedException(pool, state));
        }
    }

    /** What the calls of all pools of a session share. */
    record Shared(Journals journals, Displays displays, Debugging debugging) {}

    /**
     * A call of one item.
     *
     * @param task what workers are sent for a function that takes no item
     */
    record Single(Object function, @Nullable Object item, Optional<Task> task) {
        static Single of(RemoteCallable<?> callable) {
            Task task = callable instanceof JdkTask<?> of
                    ? new Task(of.isCallable() ? SubmittedTask.CALL : SubmittedTask.RUN, of.carried())
                    : new Task(SubmittedTask.CALL, requireNonNull(callable, "task"));
            return new Single(callable, null, Optional.of(task));
        }

        static Single of(RemoteRunnable task) {
            return new Single(
                    new RemoteRun(requireNonNull(task, "task")), null, Optional.of(new Task(SubmittedTask.RUN, task)));
        }

        static Single of(RemoteFunction<?, ?> function, @Nullable Object item) {
            return new Single(requireNonNull(function, "function"), item, Optional.empty());
        }
    }

    /** A task without a result, even if its class is a callable as well. */
    private record RemoteRun(RemoteRunnable carried)
            implements RemoteCallable<@Nullable Object>, FunctionResources.Carrier {
        @Override
        public @Nullable Object call() throws Exception {
            carried.run();
            return null;
        }
    }

    /** A task that is the item of a function. */
    private record Task(SubmittedTask function, Object item) {}

    /** What a caller asks for, and what reads its results. */
    record Asked(Object function, CallOptions options, ResultReader reader) {}
}
