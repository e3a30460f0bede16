// SPDX-License-Identifier: Apache-2.0
package io.fiber;

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

/**
 * What can be asked of a {@link Pool}, or of a {@linkplain Pool#with view of it} with other options: run a function in
 * the worker processes, on one item or on many.
 *
 * <p>Functions and items are serialized when they are submitted; a worker works on a copy, and so does the caller with
 * the results. Null items and null results travel like others. A function of several arguments takes a record that names
 * them: there is no separate method for that. Thread-safe.
 *
 * <ul>
 *   <li>{@code apply} waits for one result, {@code map} for a list of them, in the order of the items.
 *   <li>{@code applyAsync} and {@code mapAsync} return a future. {@code cancel(true)} takes back what has not begun and
 *       interrupts what runs in the workers, {@code cancel(false)} only takes back.
 *   <li>{@code imap} returns results as they become available, in the order of the items; {@code imapUnordered} as they
 *       arrive. Both read items only as fast as results are consumed, so that an endless input needs constant memory. A
 *       thread of the call reads them. The stream is sequential; closing it cancels the rest: use try-with-resources.
 * </ul>
 *
 * <p>What is submitted and not answered takes at most about a quarter of this JVM's heap for each session, in serialized
 * arguments. {@code apply} and {@code applyAsync} wait until there is room, as a bounded executor does; an interrupt ends
 * the wait with {@link WaitInterruptedException}. {@code map}, {@code mapAsync} and {@code imap} read their next items when
 * there is room. An argument that is larger than that is sent alone. So tasks that wait for tasks which are submitted
 * later need room for all of them.
 *
 * <p>A task may run more than once: when its worker dies, another runs it again, by default at most twice; its result
 * counts once. So a task should be idempotent; {@link CallOptions#retries retries(0)} switches running again off.
 *
 * <p>The first failure of a task fails its whole call; what of the call has not begun is taken back. Methods that wait
 * throw, futures complete with, and streams throw while they are consumed:
 *
 * <ul>
 *   <li>{@link RemoteTaskException} when a task threw
 *   <li>{@link WorkerLostException} when a task was given up because its workers died
 *   <li>{@link PoolBrokenException} when no worker can be started
 *   <li>{@link FiberException} when a function, item or result cannot be serialized or is too large, and when the items'
 *       iterator throws (FBR-405), with what it threw as the cause
 *   <li>{@link java.util.concurrent.CancellationException} when the pool was terminated
 * </ul>
 */
public interface Calls {

    /**
     * Runs a task in a worker and waits for its result.
     *
     * <p>A task may run more than once when a worker dies, so it should be idempotent; retries(0) switches that off.
     *
     * @param <R> the result
     * @param task runs in a worker
     * @return what it returned
     * @throws PoolClosedException when the pool takes no more tasks
     * @throws WaitInterruptedException when the thread is interrupted while it waits; the task is cancelled then
     */
    <R extends @Nullable Object> R apply(RemoteCallable<? extends R> task);

    /**
     * Runs a function on one item in a worker and waits for its result.
     *
     * <p>A task may run more than once when a worker dies, so it should be idempotent; retries(0) switches that off.
     *
     * @param <T> the item
     * @param <R> the result
     * @param function runs in a worker
     * @param item its argument
     * @return what it returned
     * @throws PoolClosedException when the pool takes no more tasks
     * @throws WaitInterruptedException when the thread is interrupted while it waits; the task is cancelled then
     */
    <T extends @Nullable Object, R extends @Nullable Object> R apply(
            RemoteFunction<? super T, ? extends R> function, T item);

    /**
     * Submits a task and returns at once, or when there is room for it.
     *
     * <p>A task may run more than once when a worker dies, so it should be idempotent; retries(0) switches that off.
     *
     * @param <R> the result
     * @param task runs in a worker
     * @return a future of what it returns; {@code cancel(true)} reaches the worker
     * @throws PoolClosedException when the pool takes no more tasks
     * @throws WaitInterruptedException when the thread is interrupted while it waits for room
     */
    <R extends @Nullable Object> CompletableFuture<R> applyAsync(RemoteCallable<? extends R> task);

    /**
     * Submits a function with one item and returns at once, or when there is room for it.
     *
     * <p>A task may run more than once when a worker dies, so it should be idempotent; retries(0) switches that off.
     *
     * @param <T> the item
     * @param <R> the result
     * @param function runs in a worker
     * @param item its argument
     * @return a future of what it returns; {@code cancel(true)} reaches the worker
     * @throws PoolClosedException when the pool takes no more tasks
     * @throws WaitInterruptedException when the thread is interrupted while it waits for room
     */
    <T extends @Nullable Object, R extends @Nullable Object> CompletableFuture<R> applyAsync(
            RemoteFunction<? super T, ? extends R> function, T item);

    /**
     * Runs a function on every item and waits for all results.
     *
     * <p>A task may run more than once when a worker dies, so it should be idempotent; retries(0) switches that off.
     *
     * @param <T> an item
     * @param <R> a result
     * @param function runs in the workers
     * @param items its arguments; iterated once
     * @return the results in the order of the items; unmodifiable
     * @throws PoolClosedException when the pool takes no more tasks
     * @throws WaitInterruptedException when the thread is interrupted while it waits; the call is cancelled then
     */
    <T extends @Nullable Object, R extends @Nullable Object> List<R> map(
            RemoteFunction<? super T, ? extends R> function, Iterable<? extends T> items);

    /**
     * Runs a function on every item and waits for all results.
     *
     * <p>A task may run more than once when a worker dies, so it should be idempotent; retries(0) switches that off.
     *
     * @param <T> an item
     * @param <R> a result
     * @param function runs in the workers
     * @param items its arguments; used up by this call
     * @return the results in the order of the items; unmodifiable
     * @throws PoolClosedException when the pool takes no more tasks
     * @throws WaitInterruptedException when the thread is interrupted while it waits; the call is cancelled then
     */
    <T extends @Nullable Object, R extends @Nullable Object> List<R> map(
            RemoteFunction<? super T, ? extends R> function, Iterator<? extends T> items);

    /**
     * Runs a function on every item and waits for all results.
     *
     * <p>A task may run more than once when a worker dies, so it should be idempotent; retries(0) switches that off.
     *
     * @param <T> an item
     * @param <R> a result
     * @param function runs in the workers
     * @param items its arguments; used up and closed by this call
     * @return the results in the order of the items; unmodifiable
     * @throws PoolClosedException when the pool takes no more tasks
     * @throws WaitInterruptedException when the thread is interrupted while it waits; the call is cancelled then
     */
    <T extends @Nullable Object, R extends @Nullable Object> List<R> map(
            RemoteFunction<? super T, ? extends R> function, Stream<? extends T> items);

    /**
     * Runs a function on every item and waits for all results.
     *
     * <p>A task may run more than once when a worker dies, so it should be idempotent; retries(0) switches that off.
     *
     * @param <R> a result
     * @param function runs in the workers
     * @param items its arguments; used up and closed by this call; a plain range travels as two numbers
     * @return the results in the order of the items; unmodifiable
     * @throws PoolClosedException when the pool takes no more tasks
     * @throws WaitInterruptedException when the thread is interrupted while it waits; the call is cancelled then
     */
    <R extends @Nullable Object> List<R> map(RemoteIntFunction<? extends R> function, IntStream items);

    /**
     * Runs a function on every item and waits for all results.
     *
     * <p>A task may run more than once when a worker dies, so it should be idempotent; retries(0) switches that off.
     *
     * @param <R> a result
     * @param function runs in the workers
     * @param items its arguments; used up and closed by this call; a plain range travels as two numbers
     * @return the results in the order of the items; unmodifiable
     * @throws PoolClosedException when the pool takes no more tasks
     * @throws WaitInterruptedException when the thread is interrupted while it waits; the call is cancelled then
     */
    <R extends @Nullable Object> List<R> map(RemoteLongFunction<? extends R> function, LongStream items);

    /**
     * Submits a function for every item and returns at once; a thread of the call reads the items.
     *
     * <p>A task may run more than once when a worker dies, so it should be idempotent; retries(0) switches that off.
     *
     * @param <T> an item
     * @param <R> a result
     * @param function runs in the workers
     * @param items its arguments; iterated once
     * @return a future of the results in the order of the items; {@code cancel(true)} reaches the workers
     * @throws PoolClosedException when the pool takes no more tasks
     */
    <T extends @Nullable Object, R extends @Nullable Object> CompletableFuture<List<R>> mapAsync(
            RemoteFunction<? super T, ? extends R> function, Iterable<? extends T> items);

    /**
     * Submits a function for every item and returns at once; a thread of the call reads the items.
     *
     * <p>A task may run more than once when a worker dies, so it should be idempotent; retries(0) switches that off.
     *
     * @param <T> an item
     * @param <R> a result
     * @param function runs in the workers
     * @param items its arguments; used up by this call
     * @return a future of the results in the order of the items; {@code cancel(true)} reaches the workers
     * @throws PoolClosedException when the pool takes no more tasks
     */
    <T extends @Nullable Object, R extends @Nullable Object> CompletableFuture<List<R>> mapAsync(
            RemoteFunction<? super T, ? extends R> function, Iterator<? extends T> items);

    /**
     * Submits a function for every item and returns at once; a thread of the call reads the items.
     *
     * <p>A task may run more than once when a worker dies, so it should be idempotent; retries(0) switches that off.
     *
     * @param <T> an item
     * @param <R> a result
     * @param function runs in the workers
     * @param items its arguments; used up and closed by this call
     * @return a future of the results in the order of the items; {@code cancel(true)} reaches the workers
     * @throws PoolClosedException when the pool takes no more tasks
     */
    <T extends @Nullable Object, R extends @Nullable Object> CompletableFuture<List<R>> mapAsync(
            RemoteFunction<? super T, ? extends R> function, Stream<? extends T> items);

    /**
     * Submits a function for every item and returns at once; a thread of the call reads the items.
     *
     * <p>A task may run more than once when a worker dies, so it should be idempotent; retries(0) switches that off.
     *
     * @param <R> a result
     * @param function runs in the workers
     * @param items its arguments; used up and closed by this call; a plain range travels as two numbers
     * @return a future of the results in the order of the items; {@code cancel(true)} reaches the workers
     * @throws PoolClosedException when the pool takes no more tasks
     */
    <R extends @Nullable Object> CompletableFuture<List<R>> mapAsync(
            RemoteIntFunction<? extends R> function, IntStream items);

    /**
     * Submits a function for every item and returns at once; a thread of the call reads the items.
     *
     * <p>A task may run more than once when a worker dies, so it should be idempotent; retries(0) switches that off.
     *
     * @param <R> a result
     * @param function runs in the workers
     * @param items its arguments; used up and closed by this call; a plain range travels as two numbers
     * @return a future of the results in the order of the items; {@code cancel(true)} reaches the workers
     * @throws PoolClosedException when the pool takes no more tasks
     */
    <R extends @Nullable Object> CompletableFuture<List<R>> mapAsync(
            RemoteLongFunction<? extends R> function, LongStream items);

    /**
     * Runs a function on every item, lazily, with results in the order of the items.
     *
     * <p>A task may run more than once when a worker dies, so it should be idempotent; retries(0) switches that off.
     *
     * @param <T> an item
     * @param <R> a result
     * @param function runs in the workers
     * @param items its arguments; iterated once; may be endless
     * @return the results; close it to cancel what is left
     * @throws PoolClosedException when the pool takes no more tasks
     */
    <T extends @Nullable Object, R extends @Nullable Object> Stream<R> imap(
            RemoteFunction<? super T, ? extends R> function, Iterable<? extends T> items);

    /**
     * Runs a function on every item, lazily, with results in the order of the items.
     *
     * <p>A task may run more than once when a worker dies, so it should be idempotent; retries(0) switches that off.
     *
     * @param <T> an item
     * @param <R> a result
     * @param function runs in the workers
     * @param items its arguments; used up by this call; may be endless
     * @return the results; close it to cancel what is left
     * @throws PoolClosedException when the pool takes no more tasks
     */
    <T extends @Nullable Object, R extends @Nullable Object> Stream<R> imap(
            RemoteFunction<? super T, ? extends R> function, Iterator<? extends T> items);

    /**
     * Runs a function on every item, lazily, with results in the order of the items.
     *
     * <p>A task may run more than once when a worker dies, so it should be idempotent; retries(0) switches that off.
     *
     * @param <T> an item
     * @param <R> a result
     * @param function runs in the workers
     * @param items its arguments; used up and closed by this call; may be endless
     * @return the results; close it to cancel what is left
     * @throws PoolClosedException when the pool takes no more tasks
     */
    <T extends @Nullable Object, R extends @Nullable Object> Stream<R> imap(
            RemoteFunction<? super T, ? extends R> function, Stream<? extends T> items);

    /**
     * Runs a function on every item, lazily, with results in the order of the items.
     *
     * <p>A task may run more than once when a worker dies, so it should be idempotent; retries(0) switches that off.
     *
     * @param <R> a result
     * @param function runs in the workers
     * @param items its arguments; used up and closed by this call; a plain range travels as two numbers; may be endless
     * @return the results; close it to cancel what is left
     * @throws PoolClosedException when the pool takes no more tasks
     */
    <R extends @Nullable Object> Stream<R> imap(RemoteIntFunction<? extends R> function, IntStream items);

    /**
     * Runs a function on every item, lazily, with results in the order of the items.
     *
     * <p>A task may run more than once when a worker dies, so it should be idempotent; retries(0) switches that off.
     *
     * @param <R> a result
     * @param function runs in the workers
     * @param items its arguments; used up and closed by this call; a plain range travels as two numbers; may be endless
     * @return the results; close it to cancel what is left
     * @throws PoolClosedException when the pool takes no more tasks
     */
    <R extends @Nullable Object> Stream<R> imap(RemoteLongFunction<? extends R> function, LongStream items);

    /**
     * Runs a function on every item, lazily, with results in the order in which they arrive.
     *
     * <p>A task may run more than once when a worker dies, so it should be idempotent; retries(0) switches that off.
     *
     * @param <T> an item
     * @param <R> a result
     * @param function runs in the workers
     * @param items its arguments; iterated once; may be endless
     * @return the results; close it to cancel what is left
     * @throws PoolClosedException when the pool takes no more tasks
     */
    <T extends @Nullable Object, R extends @Nullable Object> Stream<R> imapUnordered(
            RemoteFunction<? super T, ? extends R> function, Iterable<? extends T> items);

    /**
     * Runs a function on every item, lazily, with results in the order in which they arrive.
     *
     * <p>A task may run more than once when a worker dies, so it should be idempotent; retries(0) switches that off.
     *
     * @param <T> an item
     * @param <R> a result
     * @param function runs in the workers
     * @param items its arguments; used up by this call; may be endless
     * @return the results; close it to cancel what is left
     * @throws PoolClosedException when the pool takes no more tasks
     */
    <T extends @Nullable Object, R extends @Nullable Object> Stream<R> imapUnordered(
            RemoteFunction<? super T, ? extends R> function, Iterator<? extends T> items);

    /**
     * Runs a function on every item, lazily, with results in the order in which they arrive.
     *
     * <p>A task may run more than once when a worker dies, so it should be idempotent; retries(0) switches that off.
     *
     * @param <T> an item
     * @param <R> a result
     * @param function runs in the workers
     * @param items its arguments; used up and closed by this call; may be endless
     * @return the results; close it to cancel what is left
     * @throws PoolClosedException when the pool takes no more tasks
     */
    <T extends @Nullable Object, R extends @Nullable Object> Stream<R> imapUnordered(
            RemoteFunction<? super T, ? extends R> function, Stream<? extends T> items);

    /**
     * Runs a function on every item, lazily, with results in the order in which they arrive.
     *
     * <p>A task may run more than once when a worker dies, so it should be idempotent; retries(0) switches that off.
     *
     * @param <R> a result
     * @param function runs in the workers
     * @param items its arguments; used up and closed by this call; a plain range travels as two numbers; may be endless
     * @return the results; close it to cancel what is left
     * @throws PoolClosedException when the pool takes no more tasks
     */
    <R extends @Nullable Object> Stream<R> imapUnordered(RemoteIntFunction<? extends R> function, IntStream items);

    /**
     * Runs a function on every item, lazily, with results in the order in which they arrive.
     *
     * <p>A task may run more than once when a worker dies, so it should be idempotent; retries(0) switches that off.
     *
     * @param <R> a result
     * @param function runs in the workers
     * @param items its arguments; used up and closed by this call; a plain range travels as two numbers; may be endless
     * @return the results; close it to cancel what is left
     * @throws PoolClosedException when the pool takes no more tasks
     */
    <R extends @Nullable Object> Stream<R> imapUnordered(RemoteLongFunction<? extends R> function, LongStream items);
}
