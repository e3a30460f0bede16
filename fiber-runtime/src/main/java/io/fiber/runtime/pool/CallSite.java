// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import static java.util.Objects.requireNonNull;

import io.fiber.CallOptions;
import io.fiber.Outcome;
import io.fiber.TaskRunner;
import io.fiber.function.RemoteCallable;
import io.fiber.function.RemoteConsumer;
import io.fiber.function.RemoteFunction;
import io.fiber.function.RemoteRunnable;
import io.fiber.function.SerializableBiFunction;
import io.fiber.runtime.worker.CombinedFunction;
import io.fiber.runtime.worker.RemoteAction;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.BaseStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The calls of a pool with one set of options. Thread-safe. */
@SuppressWarnings({"unchecked", "NullAway"}) // a result is what the function returned, null where it may
class CallSite implements TaskRunner {

    final CallEngine engine;
    final CallOptions options;

    CallSite(CallEngine engine, CallOptions options) {
        this.engine = engine;
        this.options = options;
    }

    @Override
    public <R extends @Nullable Object> R apply(RemoteCallable<? extends R> task) {
        return (R) engine.apply(CallEngine.Single.of(task), options);
    }

    @Override
    public <T extends @Nullable Object, R extends @Nullable Object> R apply(
            RemoteFunction<? super T, ? extends R> function, T item) {
        return (R) engine.apply(CallEngine.Single.of(function, item), options);
    }

    @Override
    public <R extends @Nullable Object> CompletableFuture<R> applyAsync(RemoteCallable<? extends R> task) {
        return engine.applyAsync(CallEngine.Single.of(task), options);
    }

    @Override
    public <T extends @Nullable Object, R extends @Nullable Object> CompletableFuture<R> applyAsync(
            RemoteFunction<? super T, ? extends R> function, T item) {
        return engine.applyAsync(CallEngine.Single.of(function, item), options);
    }

    @Override
    public <T extends @Nullable Object, R extends @Nullable Object> List<R> map(
            RemoteFunction<? super T, ? extends R> function, Iterable<? extends T> items) {
        return (List<R>) engine.map(requireNonNull(function, "function"), Inputs.of(items), options);
    }

    @Override
    public <T extends @Nullable Object, R extends @Nullable Object> List<R> map(
            RemoteFunction<? super T, ? extends R> function, BaseStream<? extends T, ?> items) {
        return (List<R>) engine.map(requireNonNull(function, "function"), Inputs.of(items), options);
    }

    @Override
    public <T extends @Nullable Object, R extends @Nullable Object> CompletableFuture<List<R>> mapAsync(
            RemoteFunction<? super T, ? extends R> function, Iterable<? extends T> items) {
        return engine.mapAsync(
                requireNonNull(function, "function"), Inputs.of(items).copied(), options);
    }

    @Override
    public <T extends @Nullable Object, R extends @Nullable Object> CompletableFuture<List<R>> mapAsync(
            RemoteFunction<? super T, ? extends R> function, BaseStream<? extends T, ?> items) {
        return engine.mapAsync(
                requireNonNull(function, "function"), Inputs.of(items).copied(), options);
    }

    @Override
    public <T extends @Nullable Object, R extends @Nullable Object> R mapReduce(
            RemoteFunction<? super T, ? extends R> function,
            Iterable<? extends T> items,
            R initial,
            SerializableBiFunction<? super R, ? super R, ? extends R> combine) {
        return engine.mapReduce(combined(function, combine), Inputs.of(items), initial, options);
    }

    @Override
    public <T extends @Nullable Object, R extends @Nullable Object> R mapReduce(
            RemoteFunction<? super T, ? extends R> function,
            BaseStream<? extends T, ?> items,
            R initial,
            SerializableBiFunction<? super R, ? super R, ? extends R> combine) {
        return engine.mapReduce(combined(function, combine), Inputs.of(items), initial, options);
    }

    private static <T extends @Nullable Object, R extends @Nullable Object> CombinedFunction<T, R> combined(
            RemoteFunction<? super T, ? extends R> function,
            SerializableBiFunction<? super R, ? super R, ? extends R> combine) {
        return new CombinedFunction<>(requireNonNull(function, "function"), requireNonNull(combine, "combine"));
    }

    @Override
    public <T extends @Nullable Object, R extends @Nullable Object> Stream<R> imap(
            RemoteFunction<? super T, ? extends R> function, Iterable<? extends T> items) {
        return stream(function, Inputs.of(items).copied(), ResultIterator.Order.INPUT);
    }

    @Override
    public <T extends @Nullable Object, R extends @Nullable Object> Stream<R> imap(
            RemoteFunction<? super T, ? extends R> function, BaseStream<? extends T, ?> items) {
        return stream(function, Inputs.of(items).copied(), ResultIterator.Order.INPUT);
    }

    @Override
    public <T extends @Nullable Object, R extends @Nullable Object> Stream<R> imapUnordered(
            RemoteFunction<? super T, ? extends R> function, Iterable<? extends T> items) {
        return stream(function, Inputs.of(items).copied(), ResultIterator.Order.ARRIVAL);
    }

    @Override
    public <T extends @Nullable Object, R extends @Nullable Object> Stream<R> imapUnordered(
            RemoteFunction<? super T, ? extends R> function, BaseStream<? extends T, ?> items) {
        return stream(function, Inputs.of(items).copied(), ResultIterator.Order.ARRIVAL);
    }

    @Override
    public void run(RemoteRunnable task) {
        engine.apply(CallEngine.Single.of(task), options);
    }

    @Override
    public CompletableFuture<@Nullable Void> runAsync(RemoteRunnable task) {
        return engine.applyAsync(CallEngine.Single.of(task), options);
    }

    @Override
    public <T extends @Nullable Object> void forEach(RemoteConsumer<? super T> action, Iterable<? extends T> items) {
        engine.forEach(new RemoteAction(requireNonNull(action, "action")), Inputs.of(items), options);
    }

    @Override
    public <T extends @Nullable Object> void forEach(
            RemoteConsumer<? super T> action, BaseStream<? extends T, ?> items) {
        engine.forEach(new RemoteAction(requireNonNull(action, "action")), Inputs.of(items), options);
    }

    @Override
    public <T extends @Nullable Object, R extends @Nullable Object> Stream<Outcome<R>> outcomes(
            RemoteFunction<? super T, ? extends R> function, Iterable<? extends T> items) {
        return outcomes(requireNonNull(function, "function"), Inputs.of(items).copied());
    }

    @Override
    public <T extends @Nullable Object, R extends @Nullable Object> Stream<Outcome<R>> outcomes(
            RemoteFunction<? super T, ? extends R> function, BaseStream<? extends T, ?> items) {
        return outcomes(requireNonNull(function, "function"), Inputs.of(items).copied());
    }

    private <R extends @Nullable Object> Stream<Outcome<R>> outcomes(Object function, Inputs inputs) {
        return (Stream<Outcome<R>>) (Stream<?>) engine.outcomes(function, inputs, options);
    }

    @Override
    public <T extends @Nullable Object, R extends @Nullable Object> Function<T, R> remote(
            RemoteFunction<? super T, ? extends R> function) {
        engine.requireTravels(requireNonNull(function, "function"));
        return item -> apply(function, item);
    }

    @Override
    public <R extends @Nullable Object> Supplier<R> remoteSupplier(RemoteCallable<? extends R> task) {
        engine.requireTravels(requireNonNull(task, "task"));
        return () -> apply(task);
    }

    @Override
    public ExecutorService asExecutorService() {
        return new PoolExecutorService(this);
    }

    private <R extends @Nullable Object> Stream<R> stream(Object function, Inputs inputs, ResultIterator.Order order) {
        return (Stream<R>) engine.imap(requireNonNull(function, "function"), inputs, order, options);
    }
}
