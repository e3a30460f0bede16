// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import static java.util.Objects.requireNonNull;

import io.fiber.CallOptions;
import io.fiber.Calls;
import io.fiber.function.RemoteCallable;
import io.fiber.function.RemoteFunction;
import io.fiber.function.RemoteIntFunction;
import io.fiber.function.RemoteLongFunction;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The calls of a pool with one set of options. Thread-safe. */
@SuppressWarnings({"unchecked", "NullAway"}) // a result is what the function returned, null where it may
class CallSite implements Calls {

    private final CallEngine engine;
    private final CallOptions options;

    CallSite(CallEngine engine, CallOptions options) {
        this.engine = engine;
        this.options = options;
    }

    CallEngine engine() {
        return engine;
    }

    CallOptions options() {
        return options;
    }

    @Override
    public <R extends @Nullable Object> R apply(RemoteCallable<? extends R> task) {
        return (R) engine.apply(requireNonNull(task, "task"), null, options);
    }

    @Override
    public <T extends @Nullable Object, R extends @Nullable Object> R apply(
            RemoteFunction<? super T, ? extends R> function, T item) {
        return (R) engine.apply(requireNonNull(function, "function"), item, options);
    }

    @Override
    public <R extends @Nullable Object> CompletableFuture<R> applyAsync(RemoteCallable<? extends R> task) {
        return engine.applyAsync(requireNonNull(task, "task"), null, options);
    }

    @Override
    public <T extends @Nullable Object, R extends @Nullable Object> CompletableFuture<R> applyAsync(
            RemoteFunction<? super T, ? extends R> function, T item) {
        return engine.applyAsync(requireNonNull(function, "function"), item, options);
    }

    @Override
    public <T extends @Nullable Object, R extends @Nullable Object> List<R> map(
            RemoteFunction<? super T, ? extends R> function, Iterable<? extends T> items) {
        return (List<R>) engine.map(requireNonNull(function, "function"), Inputs.of(items), options);
    }

    @Override
    public <T extends @Nullable Object, R extends @Nullable Object> List<R> map(
            RemoteFunction<? super T, ? extends R> function, Iterator<? extends T> items) {
        return (List<R>) engine.map(requireNonNull(function, "function"), Inputs.of(items), options);
    }

    @Override
    public <T extends @Nullable Object, R extends @Nullable Object> List<R> map(
            RemoteFunction<? super T, ? extends R> function, Stream<? extends T> items) {
        return (List<R>) engine.map(requireNonNull(function, "function"), Inputs.of(items), options);
    }

    @Override
    public <R extends @Nullable Object> List<R> map(RemoteIntFunction<? extends R> function, IntStream items) {
        return (List<R>) engine.map(requireNonNull(function, "function"), Inputs.of(items), options);
    }

    @Override
    public <R extends @Nullable Object> List<R> map(RemoteLongFunction<? extends R> function, LongStream items) {
        return (List<R>) engine.map(requireNonNull(function, "function"), Inputs.of(items), options);
    }

    @Override
    public <T extends @Nullable Object, R extends @Nullable Object> CompletableFuture<List<R>> mapAsync(
            RemoteFunction<? super T, ? extends R> function, Iterable<? extends T> items) {
        return engine.mapAsync(requireNonNull(function, "function"), Inputs.of(items), options);
    }

    @Override
    public <T extends @Nullable Object, R extends @Nullable Object> CompletableFuture<List<R>> mapAsync(
            RemoteFunction<? super T, ? extends R> function, Iterator<? extends T> items) {
        return engine.mapAsync(requireNonNull(function, "function"), Inputs.of(items), options);
    }

    @Override
    public <T extends @Nullable Object, R extends @Nullable Object> CompletableFuture<List<R>> mapAsync(
            RemoteFunction<? super T, ? extends R> function, Stream<? extends T> items) {
        return engine.mapAsync(requireNonNull(function, "function"), Inputs.of(items), options);
    }

    @Override
    public <R extends @Nullable Object> CompletableFuture<List<R>> mapAsync(
            RemoteIntFunction<? extends R> function, IntStream items) {
        return engine.mapAsync(requireNonNull(function, "function"), Inputs.of(items), options);
    }

    @Override
    public <R extends @Nullable Object> CompletableFuture<List<R>> mapAsync(
            RemoteLongFunction<? extends R> function, LongStream items) {
        return engine.mapAsync(requireNonNull(function, "function"), Inputs.of(items), options);
    }

    @Override
    public <T extends @Nullable Object, R extends @Nullable Object> Stream<R> imap(
            RemoteFunction<? super T, ? extends R> function, Iterable<? extends T> items) {
        return stream(function, Inputs.of(items), ResultIterator.Order.INPUT);
    }

    @Override
    public <T extends @Nullable Object, R extends @Nullable Object> Stream<R> imap(
            RemoteFunction<? super T, ? extends R> function, Iterator<? extends T> items) {
        return stream(function, Inputs.of(items), ResultIterator.Order.INPUT);
    }

    @Override
    public <T extends @Nullable Object, R extends @Nullable Object> Stream<R> imap(
            RemoteFunction<? super T, ? extends R> function, Stream<? extends T> items) {
        return stream(function, Inputs.of(items), ResultIterator.Order.INPUT);
    }

    @Override
    public <R extends @Nullable Object> Stream<R> imap(RemoteIntFunction<? extends R> function, IntStream items) {
        return stream(function, Inputs.of(items), ResultIterator.Order.INPUT);
    }

    @Override
    public <R extends @Nullable Object> Stream<R> imap(RemoteLongFunction<? extends R> function, LongStream items) {
        return stream(function, Inputs.of(items), ResultIterator.Order.INPUT);
    }

    @Override
    public <T extends @Nullable Object, R extends @Nullable Object> Stream<R> imapUnordered(
            RemoteFunction<? super T, ? extends R> function, Iterable<? extends T> items) {
        return stream(function, Inputs.of(items), ResultIterator.Order.ARRIVAL);
    }

    @Override
    public <T extends @Nullable Object, R extends @Nullable Object> Stream<R> imapUnordered(
            RemoteFunction<? super T, ? extends R> function, Iterator<? extends T> items) {
        return stream(function, Inputs.of(items), ResultIterator.Order.ARRIVAL);
    }

    @Override
    public <T extends @Nullable Object, R extends @Nullable Object> Stream<R> imapUnordered(
            RemoteFunction<? super T, ? extends R> function, Stream<? extends T> items) {
        return stream(function, Inputs.of(items), ResultIterator.Order.ARRIVAL);
    }

    @Override
    public <R extends @Nullable Object> Stream<R> imapUnordered(
            RemoteIntFunction<? extends R> function, IntStream items) {
        return stream(function, Inputs.of(items), ResultIterator.Order.ARRIVAL);
    }

    @Override
    public <R extends @Nullable Object> Stream<R> imapUnordered(
            RemoteLongFunction<? extends R> function, LongStream items) {
        return stream(function, Inputs.of(items), ResultIterator.Order.ARRIVAL);
    }

    private <R extends @Nullable Object> Stream<R> stream(Object function, Inputs inputs, ResultIterator.Order order) {
        return (Stream<R>) engine.imap(requireNonNull(function, "function"), inputs, order, options);
    }
}
