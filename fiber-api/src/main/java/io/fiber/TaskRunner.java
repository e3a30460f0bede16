// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import io.fiber.function.RemoteCallable;
import io.fiber.function.RemoteConsumer;
import io.fiber.function.RemoteFunction;
import io.fiber.function.RemoteRunnable;
import io.fiber.function.SerializableBiFunction;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.BaseStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runs functions on one or many items in the worker processes of a {@link Pool}. A pool is a task runner; {@link
 * Pool#with} returns one with other options.
 *
 * <p><b>A task may run more than once:</b> if its worker dies, another worker runs it again, by default up to twice.
 * Only one result counts. So make tasks idempotent, or switch reruns off with {@link CallOptions#maxReruns
 * maxReruns(0)}.
 *
 * <ul>
 *   <li>{@code apply} waits for one result, {@code map} for a list of results in the order of the items, {@code
 *       mapReduce} for their combination. An interrupt ends the wait with {@link WaitInterruptedException} and cancels
 *       the call.
 *   <li>{@code applyAsync} and {@code mapAsync} return a future. {@code cancel(true)} drops tasks that have not started
 *       and interrupts those that run; {@code cancel(false)} only drops.
 *   <li>{@code run} and {@code forEach} wait as {@code apply} and {@code map} do, for tasks without a result; {@code
 *       runAsync} returns a future as {@code applyAsync} does.
 *   <li>{@code imap} returns results as they become available, in the order of the items; {@code imapUnordered} in the
 *       order of their arrival. Both read items only as fast as you consume results, so an endless input needs constant
 *       memory. A thread of the call reads the items. The stream is sequential. Closing it cancels the rest, so use
 *       try-with-resources. {@code outcomes} does what {@code imap} does, and returns failures beside results.
 *   <li>{@code remote} returns a plain {@code Function}, for libraries with threads of their own.
 * </ul>
 *
 * <p>A worker receives a copy of the function and of its item, and the caller a copy of the result. Items and results
 * may be null. If a function needs several arguments, pass a record that names them.
 *
 * <p>While {@code apply}, {@code map}, {@code mapReduce} or {@code forEach} wait, a byte array of more than 256 KiB that is an item, or in a
 * collection or array of items, is sent from where it is: do not change it meanwhile in another thread.
 *
 * <p>Functions, and the item of {@code applyAsync}, are serialized before the method returns. {@code
 * mapAsync} and the methods that return a stream copy a collection or array before they return, so you may reuse it
 * at once. They also serialize its first items, up to 4 MiB of them. They serialize further items while the call runs,
 * so do not change such an item before its result is there.
 *
 * <p>Some inputs cannot be copied: other iterables and streams, and collections whose references would take more than a
 * small part of this JVM's heap. These are read while the call runs, and you must not change them meanwhile. If you
 * change a collection of the JDK nevertheless, the call fails with FBR-405 and a {@link
 * java.util.ConcurrentModificationException}.
 *
 * <p>Items are iterated once; pass an iterator as {@code () -> iterator}. A stream may be an {@link
 * java.util.stream.IntStream} or {@link java.util.stream.LongStream}, of which a plain {@code range} travels as two
 * numbers. For the items of an array, pass {@code Arrays.stream(array)}. The call consumes the stream and closes it.
 *
 * <p>For each session, the serialized arguments of tasks that are submitted and not answered take at most about a
 * quarter of this JVM's heap. Methods that submit one task wait until there is room, as a bounded executor
 * does; an interrupt ends the wait with {@link WaitInterruptedException}. The other methods read their next items when
 * there is room. An argument that exceeds the limit is sent alone. So a task that waits for a task submitted later may
 * wait forever if there is no room for both.
 *
 * <p>The first failure of a task fails its whole call, and tasks of the call that have not started are dropped. A
 * stream is different: it throws a failure in place of that result, and the other tasks run until you close it. In a
 * stream of {@code outcomes}, a failure is an element.
 *
 * <p>Thread-safe. Methods that wait throw these exceptions, futures complete with them, and streams throw them while
 * they are consumed:
 *
 * <ul>
 *   <li>{@link RemoteTaskException} if a task threw
 *   <li>{@link WorkerLostException} if a task was given up because its workers died
 *   <li>{@link TaskTimeoutException} if a task ran longer than its {@linkplain CallOptions#deadline deadline}
 *   <li>{@link PoolBrokenException} if no worker can be started
 *   <li>{@link FiberException} if a function, item or result cannot be serialized or is too large, or if the iterator
 *       of the items throws (FBR-405), with its exception as the cause
 *   <li>{@link java.util.concurrent.CancellationException} if the pool was {@linkplain Pool#shutdownNow ended}
 * </ul>
 *
 * <p>Every method throws {@link PoolClosedException} once the pool has been shut down. If the pool failed, it throws
 * the failure instead, for example {@link PoolBrokenException}.
 */
public interface TaskRunner {

    /**
     * Runs a task in a worker and waits for its result.
     *
     * @param <R> type of the result
     */
    <R extends @Nullable Object> R apply(RemoteCallable<? extends R> task);

    /**
     * Runs a function on one item in a worker and waits for the result.
     *
     * @param <T> type of the item
     * @param <R> type of the result
     */
    <T extends @Nullable Object, R extends @Nullable Object> R apply(
            RemoteFunction<? super T, ? extends R> function, T item);

    /**
     * Submits a task. Returns at once if there is room for it, and otherwise when there is.
     *
     * @param <R> type of the result
     * @return a future of the result; {@code cancel(true)} reaches the worker
     */
    <R extends @Nullable Object> CompletableFuture<R> applyAsync(RemoteCallable<? extends R> task);

    /**
     * Submits a function with one item. Returns at once if there is room for it, and otherwise when there is.
     *
     * @param <T> type of the item
     * @param <R> type of the result
     * @return a future of the result; {@code cancel(true)} reaches the worker
     */
    <T extends @Nullable Object, R extends @Nullable Object> CompletableFuture<R> applyAsync(
            RemoteFunction<? super T, ? extends R> function, T item);

    /**
     * Runs a task that has no result, and waits for its end.
     *
     * @throws RemoteTaskException if the task threw
     */
    void run(RemoteRunnable task);

    /**
     * Submits a task that has no result. Returns at once if there is room for it, and otherwise when there is.
     *
     * @return a future that completes with null when the task has ended; {@code cancel(true)} reaches the worker
     */
    CompletableFuture<@Nullable Void> runAsync(RemoteRunnable task);

    /**
     * Runs an action on every item and waits until all have ended. Actions run in workers, on copies: an action that adds
     * to a list changes the worker's copy. To collect results, use {@link #map(RemoteFunction, Iterable) map}. The items
     * are not kept, so they need not fit in memory.
     *
     * @param <T> type of the items
     */
    <T extends @Nullable Object> void forEach(RemoteConsumer<? super T> action, Iterable<? extends T> items);

    /** Does what {@link #forEach(RemoteConsumer, Iterable)} does, with the items of a stream. */
    <T extends @Nullable Object> void forEach(RemoteConsumer<? super T> action, BaseStream<? extends T, ?> items);

    /**
     * Runs a function on every item and waits for all results.
     *
     * @param <T> type of the items
     * @param <R> type of the results
     * @return the results in the order of the items; unmodifiable
     */
    <T extends @Nullable Object, R extends @Nullable Object> List<R> map(
            RemoteFunction<? super T, ? extends R> function, Iterable<? extends T> items);

    /** Does what {@link #map(RemoteFunction, Iterable)} does, with the items of a stream. */
    <T extends @Nullable Object, R extends @Nullable Object> List<R> map(
            RemoteFunction<? super T, ? extends R> function, BaseStream<? extends T, ?> items);

    /**
     * Runs a function on every item, combines the results in the order of the items, and waits for the combined result.
     * Workers combine the results that they would send together, and the calling thread combines the rest. So neither
     * all results nor all items are in memory.
     *
     * <p>Results may be combined in any grouping, so {@code combine} must be associative. Sums of floating-point
     * numbers may differ in their last digits from one call to the next. Each result counts once, even if workers are
     * lost. If {@code combine} throws in a worker, the call fails as if {@code function} had thrown, but without a
     * retry. If it throws here, the exception is thrown unchanged.
     *
     * @param <T> type of the items
     * @param <R> type of the results
     * @param initial combined once, here, in front of the first result; it is the result if there are no items
     * @param combine runs in the workers and here. It may change its first argument only if {@code function} returns a
     *     new object for each item and {@code initial} may be changed too
     */
    <T extends @Nullable Object, R extends @Nullable Object> R mapReduce(
            RemoteFunction<? super T, ? extends R> function,
            Iterable<? extends T> items,
            R initial,
            SerializableBiFunction<? super R, ? super R, ? extends R> combine);

    /**
     * Does what {@link #mapReduce(RemoteFunction, Iterable, Object, SerializableBiFunction)} does, with the items of a
     * stream.
     */
    <T extends @Nullable Object, R extends @Nullable Object> R mapReduce(
            RemoteFunction<? super T, ? extends R> function,
            BaseStream<? extends T, ?> items,
            R initial,
            SerializableBiFunction<? super R, ? super R, ? extends R> combine);

    /**
     * Submits a function for every item and returns without waiting for results. A collection is copied first; a thread
     * of the call reads other items.
     *
     * @param <T> type of the items
     * @param <R> type of the results
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
     * @param <T> type of the items
     * @param <R> type of the results
     * @param items may be endless
     * @return the results; close the stream to cancel what is left
     */
    <T extends @Nullable Object, R extends @Nullable Object> Stream<R> imap(
            RemoteFunction<? super T, ? extends R> function, Iterable<? extends T> items);

    /** Does what {@link #imap(RemoteFunction, Iterable)} does, with the items of a stream. */
    <T extends @Nullable Object, R extends @Nullable Object> Stream<R> imap(
            RemoteFunction<? super T, ? extends R> function, BaseStream<? extends T, ?> items);

    /**
     * Runs a function on every item, lazily, with results in the order of their arrival.
     *
     * @param <T> type of the items
     * @param <R> type of the results
     * @param items may be endless
     * @return the results; close the stream to cancel what is left
     */
    <T extends @Nullable Object, R extends @Nullable Object> Stream<R> imapUnordered(
            RemoteFunction<? super T, ? extends R> function, Iterable<? extends T> items);

    /** Does what {@link #imapUnordered(RemoteFunction, Iterable)} does, with the items of a stream. */
    <T extends @Nullable Object, R extends @Nullable Object> Stream<R> imapUnordered(
            RemoteFunction<? super T, ? extends R> function, BaseStream<? extends T, ?> items);

    /**
     * Runs a function on every item, lazily, and returns the results and the failures, in the order of the items. A task
     * that fails costs only its own result. An iterator that throws, an item that cannot be serialized, and a terminated
     * pool end the call: the stream then throws, as that of {@link #imap(RemoteFunction, Iterable) imap} does.
     *
     * @param <T> type of the items
     * @param <R> type of the results
     * @param items may be endless
     * @return the outcomes; close the stream to cancel what is left
     */
    <T extends @Nullable Object, R extends @Nullable Object> Stream<Outcome<R>> outcomes(
            RemoteFunction<? super T, ? extends R> function, Iterable<? extends T> items);

    /** Does what {@link #outcomes(RemoteFunction, Iterable)} does, with the items of a stream. */
    <T extends @Nullable Object, R extends @Nullable Object> Stream<Outcome<R>> outcomes(
            RemoteFunction<? super T, ? extends R> function, BaseStream<? extends T, ?> items);

    /**
     * Returns a function that any thread of this program can call: each call runs the given one in a worker, as {@link
     * #apply(RemoteFunction, Object) apply} does, and waits for its result. So a library keeps the threads of its own
     * executor, and the costly function runs in workers. Each calling thread runs one task at a time. The function is
     * serialized with each call: put large data that it needs into a {@linkplain Fiber#broadcast broadcast}.
     *
     * @param <T> type of the argument
     * @param <R> type of the result
     * @throws SerializationException if the function cannot be serialized
     */
    <T extends @Nullable Object, R extends @Nullable Object> Function<T, R> remote(
            RemoteFunction<? super T, ? extends R> function);

    /**
     * Does what {@link #remote(RemoteFunction)} does, for a task without an argument. Each {@code get} runs the task
     * anew, on the captured values as they are now. Use {@code supplier::get} where a library wants a {@link
     * java.util.concurrent.Callable}.
     *
     * @param <R> type of the result
     * @throws SerializationException if the task cannot be serialized
     */
    <R extends @Nullable Object> Supplier<R> remoteSupplier(RemoteCallable<? extends R> task);

    /**
     * Returns an executor that runs its tasks as this runner does, for code that knows only the JDK. Each call returns
     * a new one. Shutting it down does not shut down the pool.
     *
     * <p>Tasks must be serializable: cast a lambda of your own to {@code (Callable<T> & Serializable)} or to {@link
     * RemoteCallable}. Other tasks are rejected with {@link java.util.concurrent.RejectedExecutionException} (FBR-406).
     * These include the objects that libraries submit: those of {@link
     * java.util.concurrent.ExecutorCompletionService}, {@link
     * CompletableFuture#supplyAsync(java.util.function.Supplier, java.util.concurrent.Executor)
     * CompletableFuture.supplyAsync}, Guava, Reactor or Jenetics. Those of RxJava are rejected with {@link
     * FiberException}, because RxJava would wait forever after the other one. Use {@link #applyAsync} and {@link
     * Fiber#asCompleted} in place of the JDK's. Let a library keep an executor of local threads, and give it a
     * {@linkplain #remote(RemoteFunction) remote} function.
     *
     * <p>{@code shutdownNow} cancels submitted tasks, interrupts running ones, and returns an empty list.
     *
     * <p>{@code submit}, {@code execute} and {@code invokeAll} wait while submitted, unanswered tasks take about a
     * quarter of the heap, as {@link #applyAsync} does. If interrupted meanwhile, they throw {@link
     * WaitInterruptedException}.
     *
     * <p>As usual in the JDK, {@code Future.get} throws an {@link java.util.concurrent.ExecutionException} whose cause
     * is the exception of the task itself. The cause is a {@link RemoteTaskException} only if that exception could not
     * be transferred. What a task of {@code execute} throws is logged.
     */
    ExecutorService asExecutorService();
}
