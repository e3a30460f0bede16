// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.fiber.CallOptions;
import io.fiber.PoolClosedException;
import io.fiber.PoolState;
import io.fiber.Retry;
import io.fiber.WaitInterruptedException;
import io.fiber.runtime.logging.Faults;
import io.fiber.runtime.process.SessionContext;
import io.fiber.runtime.protocol.PayloadOutput;
import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.runtime.serialization.FunctionName;
import io.fiber.runtime.serialization.FunctionResources;
import io.fiber.runtime.serialization.Subject;
import io.fiber.runtime.worker.CombinedFunction;
import io.fiber.runtime.worker.RetriedFunction;
import java.util.List;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
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

    /** A caller that wants everything is woken for this many results at once. */
    private static final int MANY = 4096;

    private static final Subject FUNCTION = new Subject("the function", "a call");
    private static final Subject ARGUMENT = new Subject("the argument", "a call");

    final String pool;
    /** What is waited for, in the words of an error. */
    private final String awaited;

    private final PoolDriver driver;
    private final SessionContext tools;
    private final FunctionCache functions;
    private final Displays displays;
    /** The streams of results that were given out. */
    final OpenStreams streams = new OpenStreams(this::cancel);

    private final AtomicLong calls = new AtomicLong();

    CallEngine(String pool, PoolDriver driver, SessionContext tools, Displays displays) {
        this.displays = displays;
        this.pool = pool;
        this.awaited = "the results of a call to pool '" + pool + "'";
        this.driver = driver;
        this.tools = tools;
        this.functions = new FunctionCache(function -> tools.conductor().execute(() -> driver.retire(function)));
    }

    /**
     * What a caller asks for.
     *
     * @param title what errors call it
     * @param reader reads its results
     */
    private record Asked(Object function, CallTitle title, ResultReader reader) {}

    private Asked asked(Object function, CallTitle.Tasks tasks) {
        CallTitle title = new CallTitle(pool, calls.incrementAndGet(), FunctionName.of(function), tasks);
        return new Asked(function, title, new ResultReader(tools.codecs(), tools.seals(), title));
    }

    /** Runs one task and waits for its result. */
    @Nullable
    Object apply(Object function, @Nullable Object item, CallOptions options) {
        Asked asked = asked(function, CallTitle.Tasks.ONE);
        ConsumerParking parking = parking();
        Answers answers = answers(Answers.Room.UNBOUNDED, 1, parking);
        Call call = submitOne(asked, item, options, answers);
        try {
            parking.await(() -> !answers.isEmpty());
        } catch (WaitInterruptedException e) {
            cancel(call);
            throw e;
        }
        return single(answers.poll(), asked.reader());
    }

    /** Runs one task. */
    <R extends @Nullable Object> CompletableFuture<R> applyAsync(
            Object function, @Nullable Object item, CallOptions options) {
        Asked asked = asked(function, CallTitle.Tasks.ONE);
        ResultReader reader = asked.reader();
        CallFuture<R> future = new CallFuture<>();
        SingleAnswer answer = new SingleAnswer(tools.callbacks(), event -> complete(future, event, reader));
        Call call = submitOne(asked, item, options, answer);
        future.onCancel(running -> {
            call.onCancel(running);
            cancel(call);
        });
        return future;
    }

    @SuppressWarnings("unchecked")
    private static <R extends @Nullable Object> void complete(
            CallFuture<R> future, Answers.Event event, ResultReader reader) {
        if (future.isDone()) {
            return;
        }
        try {
            future.complete((R) single(event, reader));
        } catch (Throwable thrown) {
            Faults.fail(future, thrown);
        }
    }

    private static @Nullable Object single(Answers.@Nullable Event event, ResultReader reader) {
        if (event instanceof Answers.Block block) {
            return reader.read(reader.open(block), block, block.firstIndex());
        }
        if (event instanceof Answers.Refused refused) {
            throw reader.refused(refused);
        }
        if (event instanceof Answers.Broken broken) {
            throw broken.thrown();
        }
        throw new IllegalStateException("A call of one task ended without an answer.");
    }

    /**
     * How the results of a map are read.
     *
     * @param answers where they arrive
     * @param parking where the thread that reads them waits
     * @param feeder where the thread that feeds the call waits
     */
    private record Reading(Answers answers, ConsumerParking parking, ConsumerParking feeder) {}

    /** One thread feeds the call and reads all results. */
    private Reading readAll(Answers.Room room) {
        ConsumerParking parking = parking();
        return new Reading(answers(room, MANY, parking), parking, parking);
    }

    /** One thread reads results as they are asked for, another one feeds the call. */
    private Reading readSome() {
        ConsumerParking parking = parking();
        return new Reading(answers(Answers.Room.BOUNDED, 1, parking), parking, parking());
    }

    /**
     * A map that can be begun.
     *
     * @param reading how its results are read
     * @param reader reads a result
     * @param inputs what gives the items
     * @param feeding feeds the call; null when the conductor knows its items
     * @param call the call
     */
    private record MapCall(
            Reading reading,
            ResultReader reader,
            Inputs inputs,
            @Nullable Feeding feeding,
            Call call) {}

    /** Runs tasks and waits for all results. */
    List<@Nullable Object> map(Object function, Inputs inputs, CallOptions options) {
        ResultArray results = new ResultArray();
        MapCall map = prepareMap(function, inputs, readAll(Answers.Room.UNBOUNDED), options);
        begin(map);
        finish(map, results);
        return results.toList();
    }

    /** Runs tasks and waits for what their results are combined to, behind an initial value. */
    <R extends @Nullable Object> R mapReduce(
            CombinedFunction<?, R> function, Inputs inputs, R initial, CallOptions options) {
        Reduction<R> reduction = new Reduction<>(function);
        MapCall map = prepareMap(function, inputs, readAll(Answers.Room.BOUNDED), options);
        begin(map);
        finish(map, reduction);
        return reduction.behind(initial);
    }

    private MapCall prepareMap(Object function, Inputs inputs, Reading reading, CallOptions options) {
        try {
            Asked asked = asked(function, CallTitle.Tasks.MANY);
            Answers answers = reading.answers();
            if (inputs instanceof Inputs.Range range) {
                Call call = prepare(asked, range.source(), options, answers);
                return new MapCall(reading, asked.reader(), inputs, null, call);
            }
            Inputs.Items items = (Inputs.Items) inputs;
            BlockSource blocks = new BlockSource(reading.feeder()::wake, items.total(), tools.budget());
            Call call = prepare(asked, blocks, options, answers);
            Feeding feeding = new Feeding(
                    tools,
                    items,
                    blocks,
                    reading.feeder(),
                    call,
                    answers,
                    () -> driver.machine().onInputEnd(call));
            return new MapCall(reading, asked.reader(), inputs, feeding, call);
        } catch (RuntimeException | Error e) {
            inputs.close();
            throw e;
        }
    }

    private void begin(MapCall map) {
        try {
            begin(map.call());
        } catch (RuntimeException | Error e) {
            map.inputs().close();
            throw e;
        }
    }

    private void finish(MapCall map, Results results) {
        try {
            collect(map, results);
        } finally {
            map.inputs().close();
            map.call().awaitEndTold();
        }
    }

    private void collect(MapCall map, Results results) {
        Collector collector = new Collector(map.reading().answers(), map.reader(), results);
        try {
            Feeding feeding = map.feeding();
            if (feeding != null) {
                feeding.beside(collector);
            }
            map.reading().parking().await(collector);
            RuntimeException failure = collector.failure();
            if (failure != null) {
                throw failure;
            }
        } catch (Throwable e) {
            cancel(map.call());
            throw e;
        }
    }

    /** Runs what feeds a call or waits for it; a call that gets no thread for it is given up. */
    private void inBackground(MapCall map, Runnable task) {
        try {
            tools.blocking().execute(task);
        } catch (RuntimeException | Error e) {
            cancel(map.call());
            map.inputs().close();
            throw e;
        }
    }

    /** Runs tasks; a thread of the session waits for the results. */
    @SuppressWarnings("unchecked")
    <R extends @Nullable Object> CompletableFuture<List<R>> mapAsync(
            Object function, Inputs inputs, CallOptions options) {
        MapCall map = prepareMap(function, inputs, readAll(Answers.Room.UNBOUNDED), options);
        CallFuture<List<R>> future = new CallFuture<>();
        future.onCancel(running -> {
            map.call().onCancel(running);
            map.reading().answers().onBroken(new PoolClosedException(pool, driver.state()));
            cancel(map.call());
        });
        ResultArray results = new ResultArray();
        Runnable finish = () -> {
            try {
                finish(map, results);
                future.complete((List<R>) results.toList());
            } catch (Throwable thrown) {
                Faults.fail(future, thrown);
            }
        };
        begin(map);
        inBackground(map, finish);
        return future;
    }

    /** Runs tasks as their results are asked for. */
    Stream<@Nullable Object> imap(Object function, Inputs inputs, ResultIterator.Order order, CallOptions options) {
        MapCall map = prepareMap(function, inputs, readSome(), options);
        Reading reading = map.reading();
        Call call = map.call();
        ResultIterator results =
                new ResultIterator(reading.answers(), reading.parking(), map.reader(), order, call::awaitEndTold);
        Spliterator<@Nullable Object> spliterator = Spliterators.spliteratorUnknownSize(results, Spliterator.ORDERED);
        Stream<@Nullable Object> stream = StreamSupport.stream(spliterator, false)
                .onClose(() -> {
                    cancel(call);
                    call.awaitEndTold();
                });
        streams.add(stream, results, call);
        begin(map);
        Feeding feeding = map.feeding();
        if (feeding != null) {
            inBackground(map, feeding::alone);
        }
        return stream;
    }

    private ConsumerParking parking() {
        return new ConsumerParking(awaited);
    }

    private Answers answers(Answers.Room room, int wakeAtItems, ConsumerParking parking) {
        return new Answers(room, wakeAtItems, parking::wake, tools.conductor()::wake);
    }

    /** Submits a call of one item as soon as the session's budget has room for it. */
    private Call submitOne(Asked asked, @Nullable Object item, CallOptions options, CallSink answers) {
        SealedPayload argument = encode(item);
        int units = tools.budget().units(argument.length());
        try {
            tools.budget().take(units);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new WaitInterruptedException("room for the argument of a call to pool '" + pool + "'", e);
        }
        try {
            ItemSource source = new ItemSource(argument, () -> tools.budget().giveBack(units));
            Call call = prepare(asked, source, options, answers);
            begin(call);
            return call;
        } catch (RuntimeException | Error e) {
            tools.budget().giveBack(units);
            throw e;
        }
    }

    private SealedPayload encode(@Nullable Object item) {
        PayloadOutput out = new PayloadOutput();
        tools.codecs().values().write(item, out, ARGUMENT);
        return tools.seals().close(out.toPayload());
    }

    private Call prepare(Asked asked, Source source, CallOptions options, CallSink answers) {
        requireOpen();
        Object function = asked.function();
        PayloadOutput out = new PayloadOutput();
        Object travels = RetriedFunction.of(function, options.retry());
        tools.codecs().values().writeFunction(travels, out, FUNCTION);
        driver.needs()
                .require(options.resources()
                        .map(needed -> new FunctionResources(needed, "resources(...) of the call"))
                        .orElseGet(() -> FunctionResources.of(function)));
        TaskFunction travelling = functions.of(out.toPayload(), tools.seals());
        Call call = new Call(travelling, source, limits(options), answers);
        call.named(asked.title());
        if (!(source instanceof ItemSource)) {
            call.watch(new CallProgress(
                    new CallProgress.Audience(options.progress(), displays, tools.blocking(), System::nanoTime),
                    asked.title(),
                    source.total()));
        }
        call.cancelledBy(() -> driver.machine().onCancel(call));
        return call;
    }

    private void begin(Call call) {
        if (!tools.conductor().executeSoon(() -> take(call))) {
            throw new PoolClosedException(pool, PoolState.TERMINATED);
        }
    }

    /** What the pool cannot take up, it cannot end either. */
    private void take(Call call) {
        try {
            driver.machine().onCall(call);
        } catch (Throwable thrown) {
            call.sink().onBroken(driver.stopped(thrown));
            throw thrown;
        }
    }

    static Call.Limits limits(CallOptions options) {
        return new Call.Limits(
                options.chunkSize().orElse(0),
                Math.min(options.maxReruns().orElse(0), Integer.MAX_VALUE - 1) + 1,
                options.deadline().map(NANOSECONDS::convert).orElse(0L),
                options.retry().map(CallEngine::limits).orElse(RetryLimits.NONE));
    }

    private static RetryLimits limits(Retry retry) {
        return new RetryLimits(
                retry.times(), NANOSECONDS.convert(retry.first()), NANOSECONDS.convert(retry.greatest()));
    }

    private void requireOpen() {
        PoolState state = driver.state();
        if (state != PoolState.RUNNING) {
            throw driver.machine().cause().orElseGet(() -> new PoolClosedException(pool, state));
        }
    }

    private void cancel(Call call) {
        tools.conductor().execute(call.cancellation());
    }
}
