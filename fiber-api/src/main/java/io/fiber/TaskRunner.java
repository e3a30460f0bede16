// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import io.fiber.function.RemoteCallable;
import io.fiber.function.RemoteFunction;
import io.fiber.function.SerializableBiFunction;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.BaseStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * Runs functions in the worker processes of a {@link Pool}, on one item or on many. A pool is one; {@link Pool#with} returns
 * one with other options.
 *
 * <p><b>A task may run more than once:</b> when its worker dies, another runs it again, by default at most twice; its result
 * counts once. So a task should be idempotent; {@link CallOptions#maxReruns maxReruns(0)} switches running again off.
 *
 * <ul>
 *   <li>{@code apply} waits for one result, {@code map} for a list of them, in the order of the items, {@code mapReduce} for
 *       what they are combined to. An interrupt ends the wait with {@link WaitInterruptedException} and cancels the call.
 *   <li>{@code applyAsync} and {@code mapAsync} return a future. {@code cancel(true)} takes back what has not begun and
 *       interrupts what runs in the workers, {@code cancel(false)} only takes back.
 *   <li>{@code imap} returns results as they become available, in the order of the items; {@code imapUnordered} as they
 *       arrive. Both read items only as fast as results are consumed, so that an endless input needs constant memory. A
 *       thread of the call reads them. The stream is sequential; closing it cancels the rest: use try-with-resources.
 * </ul>
 *
 * <p>A worker works on a copy of the function and of its item, and so does the caller with the results. Null items and null
 * results travel like others. A function of several arguments takes a record that names them.
 *
 * <p>Functions, and the item of {@code apply} and {@code applyAsync}, are serialized before the method returns. {@code
 * mapAsync}, {@code imap} and {@code imapUnordered} copy a collection or array before they return, so you may reuse it at
 * once. They also serialize its first items, up to 4 MiB of them. They serialize further items while the call runs, so
 * do not change such an item before its result is there. What cannot be copied at the call is read while the call runs and
 * must not change meanwhile: other iterables and streams, and collections whose references would take more than a small
 * part of this JVM's heap. If a collection of the JDK changes nevertheless, the call fails with FBR-405 and a {@link
 * java.util.ConcurrentModificationException}.
 *
 * <p>Items are iterated once; an iterator is passed as {@code () -> iterator}. A stream may be an {@link
 * java.util.stream.IntStream} or {@link java.util.stream.LongStream}, of which a plain {@code range} travels as two numbers;
 * the call uses it up and closes it. Thread-safe.
 *
 * <p>What is submitted and not answered takes at most about a quarter of this JVM's heap for each session, in
 * serialized arguments. {@code apply} and {@code applyAsync} wait until there is room, as a bounded executor does; an
 * interrupt ends the wait with {@link WaitInterruptedException}. The other methods read their next items when there
 * is room. An argument that is larger than that is sent alone. A task that waits for one which is submitted later may
 * therefore wait for ever when there is no room for both.
 *
 * <p>The first failure of a task fails its whole call; what of the call has not begun is taken back. Only a stream goes on:
 * it throws a failure in the place of the result, and the other tasks run until it is closed. Methods that wait throw,
 * futures complete with, and streams throw while they are consumed:
 *
 * <ul>
 *   <li>{@link RemoteTaskException} when a task threw
 *   <li>{@link WorkerLostException} when a task was given up because its workers died
 *   <li>{@link TaskTimeoutException} when a task ran longer than its {@linkplain CallOptions#deadline deadline}
 *   <li>{@link PoolBrokenException} when no worker can be started
 *   <li>{@link FiberException} when a function, item or result cannot be serialized or is too large, and when the items'
 *       iterator throws (FBR-405), with what it threw as the cause
 *   <li>{@link java.util.concurrent.CancellationException} when the pool was terminated
 * </ul>
 *
 * <p>Every method throws {@link PoolClosedException} when the pool takes no more tasks, and of a pool that
 * could not go on what ended it, such as {@link PoolBrokenException}.
 */
public interface TaskRunner {

    /**
     * Runs a task in a worker and waits for its result.
     *
     * @param <R> the result
     */
    <R extends @Nullable Object> R apply(RemoteCallable<? extends R> task);

    /**
     * Runs a function on one item in a worker and waits for its result.
     *
     * @param <T> the item
     * @param <R> the result
     */
    <T extends @Nullable Object, R extends @Nullable Object> R apply(
            RemoteFunction<? super T, ? extends R> function, T item);

    /**
     * Submits a task and returns at once, or when there is room for it.
     *
     * @param <R> the result
     * @return a future of what it returned; {@code cancel(true)} reaches the worker
     */
    <R extends @Nullable Object> CompletableFuture<R> applyAsync(RemoteCallable<? extends R> task);

    /**
     * Submits a function with one item and returns at once, or when there is room for it.
     *
     * @param <T> the item
     * @param <R> the result
     * @return a future of what it returned; {@code cancel(true)} reaches the worker
     */
    <T extends @Nullable Object, R extends @Nullable Object> CompletableFuture<R> applyAsync(
            RemoteFunction<? super T, ? extends R> function, T item);

    /**
     * Runs a function on every item and waits for all results.
     *
     * @param <T> an item
     * @param <R> a result
     * @return the results in the order of the items; unmodifiable
     */
    <T extends @Nullable Object, R extends @Nullable Object> List<R> map(
            RemoteFunction<? super T, ? extends R> function, Iterable<? extends T> items);

    /** Does what {@link #map(RemoteFunction, Iterable)} does, with the items of a stream. */
    <T extends @Nullable Object, R extends @Nullable Object> List<R> map(
            RemoteFunction<? super T, ? extends R> function, BaseStream<? extends T, ?> items);

    /**
     * Runs a function on every item, combines the results in the order of the items, and waits for the one that is left. Workers
     * combine what they would send together, the calling thread the rest, so that neither results nor items are all in memory.
     *
     * <p>Where results are split is left open: {@code combine} must be associative. Sums of floating-point numbers may differ
     * in their last digits from one call to the next. Each result counts once, also when workers are lost. What {@code combine}
     * throws in a worker fails the call as what {@code function} throws does, without a retry; what it throws here is thrown as
     * it is.
     *
     * @param <T> an item
     * @param <R> a result
     * @param initial combined once, here, in front of the first result; it is returned when there are no items
     * @param combine runs in the workers and here; may change its first argument only if {@code function} returns a new object
     *     for each item, and {@code initial} may be changed too
     */
    <T extends @Nullable Object, R extends @Nullable Object> R mapReduce(
            RemoteFunction<? super T, ? extends R> function,
            Iterable<? extends T> items,
            R initial,
            SerializableBiFunction<? super R, ? super R, ? extends R> combine);

    /** Does what {@link #mapReduce(RemoteFunction, Iterable, Object, SerializableBiFunction)} does, with the items of a stream. */
    <T extends @Nullable Object, R extends @Nullable Object> R mapReduce(
            RemoteFunction<? super T, ? extends R> function,
            BaseStream<? extends T, ?> items,
            R initial,
            SerializableBiFunction<? super R, ? super R, ? extends R> combine);

    /**
     * Submits a function for every item and returns without waiting for results. It copies a collection first; a thread of
     * the call reads other items.
     *
     * @param <T> an item
     * @param <R> a result
     * @return a future of the results in the order of the items; {@code cancel(true)} reaches the workers
     */
    <T extends @Nullable Object, R extends @Nullable Object> CompletableFuture<List<R>> mapAsync(
            RemoteFunction<? super T, ? extends R> function, Iterable<? extends T> items);

    /** Does what {@link #mapAsync(RemoteFunction, Iterable)} does, with the items of a stream. */
    <T extends @Nullable Object, R extends @Nullable Object> CompletableFuture<List<R>> mapAsync(
            RemoteFunction<? super T, ? extends R> function, BaseStream<? extends T, ?> items);

    /**
     * Runs a function on every item, lazily, with results in the order of the items.
     *
     * @param <T> an item
     * @param <R> a result
     * @param items may be endless
     * @return the results; close it to cancel what is left
     */
    <T extends @Nullable Object, R extends @Nullable Object> Stream<R> imap(
            RemoteFunction<? super T, ? extends R> function, Iterable<? extends T> items);

    /** Does what {@link #imap(RemoteFunction, Iterable)} does, with the items of a stream. */
    <T extends @Nullable Object, R extends @Nullable Object> Stream<R> imap(
            RemoteFunction<? super T, ? extends R> function, BaseStream<? extends T, ?> items);

    /**
     * Runs a function on every item, lazily, with results in the order in which they arrive.
     *
     * @param <T> an item
     * @param <R> a result
     * @param items may be endless
     * @return the results; close it to cancel what is left
     */
    <T extends @Nullable Object, R extends @Nullable Object> Stream<R> imapUnordered(
            RemoteFunction<? super T, ? extends R> function, Iterable<? extends T> items);

    /** Does what {@link #imapUnordered(RemoteFunction, Iterable)} does, with the items of a stream. */
    <T extends @Nullable Object, R extends @Nullable Object> Stream<R> imapUnordered(
            RemoteFunction<? super T, ? extends R> function, BaseStream<? extends T, ?> items);

    /**
     * Returns an executor that runs its tasks as this runner does, for code that knows only the JDK. Each call
     * returns a new one. Shutting it down does not shut down the pool.
     *
     * <p>{@code submit}, {@code execute} and {@code invokeAll} wait while what was submitted and not answered takes
     * about a quarter of the heap, as {@link #applyAsync} does; interrupted meanwhile they throw
     * {@link WaitInterruptedException}.
     *
     * <p>As the JDK has it, {@code Future.get} throws an {@link java.util.concurrent.ExecutionException} whose cause
     * is what the task threw itself; it is a {@link RemoteTaskException} only when that could not be brought here.
     * What a task given to {@code execute} throws is logged. {@code shutdownNow} cancels what was submitted,
     * interrupts what runs, and returns an empty list.
     *
     * <p>Its tasks must be serializable: cast a lambda with {@code (Callable<T> & Serializable)}, or to
     * {@link RemoteCallable}. What is not is refused with {@link java.util.concurrent.RejectedExecutionException}
     * (FBR-406). This includes what {@link java.util.concurrent.ExecutorCompletionService} and
     * {@link CompletableFuture#supplyAsync(java.util.function.Supplier, java.util.concurrent.Executor)
     * CompletableFuture.supplyAsync} wrap around a task; {@link #applyAsync} does what they do.
     */
    ExecutorService asExecutorService();

    /**
     * Returns futures in the order in which they complete, of any calls, as Python's {@code
     * concurrent.futures.as_completed} does. The stream is sequential; its next element blocks until another future is
     * done, also when it failed or was cancelled.
     *
     * <p>While the stream waits, an interrupt ends it with {@link WaitInterruptedException}; the futures go on.
     *
     * @param <R> a result
     * @param futures each is returned once
     */
    static <R extends @Nullable Object> Stream<CompletableFuture<R>> asCompleted(
            Collection<CompletableFuture<R>> futures) {
        BlockingQueue<CompletableFuture<R>> done = new LinkedBlockingQueue<>();
        List<CompletableFuture<R>> all = List.copyOf(futures);
        for (CompletableFuture<R> future : all) {
            var unused = future.whenComplete((result, thrown) -> done.add(future));
        }
        // Of unknown size: of a stream that knows its size, count() would return without waiting for a future.
        Iterator<CompletableFuture<R>> inOrder = new Iterator<>() {
            private int returned;

            @Override
            public boolean hasNext() {
                return returned < all.size();
            }

            @Override
            public CompletableFuture<R> next() {
                if (!hasNext()) {
                    throw new NoSuchElementException("All " + all.size() + " futures were returned.");
                }
                try {
                    CompletableFuture<R> future = done.take();
                    returned++;
                    return future;
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new WaitInterruptedException("the next of " + all.size() + " futures", e);
                }
            }
        };
        return StreamSupport.stream(Spliterators.spliteratorUnknownSize(inOrder, Spliterator.ORDERED), false);
    }
}
