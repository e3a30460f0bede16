// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import io.fiber.function.RemoteRunnable;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A session: the entry point of Fiber. It holds the connection to one platform and owns everything that you start
 * through it, all of which ends with the session. Fiber's processes are processes of the operating system, on this
 * machine or on a cluster; they have nothing to do with virtual threads.
 *
 * <p>A program usually opens one session, with try-with-resources. Thread-safe. Once the session is closed, methods
 * that create or start something throw {@link IllegalStateException} (FBR-302). In a process that is 8 levels below the
 * first process of its program, they throw {@link FiberException} (FBR-425).
 */
public interface Fiber extends AutoCloseable {

    /**
     * Opens a session that is configured by system properties, the environment and configuration files. Starts no
     * process. May block until the platform answers.
     *
     * @throws FiberException if no backend can be selected or a choice cannot be honoured; the message says what was
     *     found and what to do
     * @throws IllegalStateException (FBR-304) in a static initializer or {@code readObject} that runs while a worker
     *     deserializes what it received
     */
    static Fiber open() {
        return builder().open();
    }

    /**
     * Returns a builder for a session that is configured in code.
     *
     * @throws ConfigurationException FBR-117 if no engine is on the class path, FBR-118 if there are several
     */
    static FiberBuilder builder() {
        return Engines.only().builder();
    }

    /**
     * Returns the session of the worker that runs the calling code. Through it, the code starts processes of its own,
     * on the platform and with the settings of the session that started the worker. Threads that the code starts have
     * the same session. The first call opens the session, which takes a moment.
     *
     * <p>The session belongs to the worker, so you need not close it. It is closed before the process ends, as by
     * {@link #close()}. If the worker dies or is killed, everything that it started is killed as well. If you close the
     * session, the next call opens another one.
     *
     * @throws IllegalStateException (FBR-301) in a thread that does not belong to a worker; use {@link #open()} there.
     *     (FBR-304) in a static initializer or {@code readObject} that runs while a worker deserializes what it
     *     received
     */
    static Fiber current() {
        return Engines.only().current();
    }

    /**
     * Returns futures of any calls in the order in which they complete, like Python's {@code
     * concurrent.futures.as_completed}. The stream is sequential. Its next element blocks until another future is done,
     * even if that one failed or was cancelled. While the stream waits, an interrupt ends it with {@link
     * WaitInterruptedException}; the futures continue.
     *
     * @param <F> type of the futures
     * @param futures the stream has as many elements as this collection
     */
    static <F extends CompletableFuture<?>> Stream<F> asCompleted(Collection<? extends F> futures) {
        return CompletedFutures.stream(futures);
    }

    /**
     * Starts a process and waits until the worker in it has connected. To set options, use {@link #processBuilder}.
     *
     * @param program what the process runs; it is serialized before this method returns, and the process ends when it
     *     returns or throws. It runs at most once: it is never run again, even if it fails or its machine is lost
     * @throws FiberException as {@link FiberProcessBuilder#start} throws it
     */
    default FiberProcess process(RemoteRunnable program) {
        return processBuilder(program).start();
    }

    /** Returns a builder for a process that runs this program. */
    FiberProcessBuilder processBuilder(RemoteRunnable program);

    /**
     * Creates a pool with as many workers as fit into the allocation in which this program runs. Outside an allocation,
     * the pool has one worker for each processor of this machine.
     */
    default Pool pool() {
        return poolBuilder().build();
    }

    /**
     * Creates a pool of worker processes, which start with the first task. To set options, use {@link
     * #poolBuilder(int)}.
     *
     * <p>A task of a pool {@linkplain TaskRunner may run more than once}.
     *
     * @param workers number of workers; at least 1
     * @throws IllegalArgumentException (FBR-305) if {@code workers} is less than 1
     */
    default Pool pool(int workers) {
        return poolBuilder(workers).build();
    }

    /** Returns a builder for a pool with the default number of workers of {@link #pool()}. */
    PoolBuilder poolBuilder();

    /**
     * Returns a builder for a pool.
     *
     * @param workers number of workers; at least 1
     * @throws IllegalArgumentException (FBR-305) if {@code workers} is less than 1
     */
    PoolBuilder poolBuilder(int workers);

    /**
     * Creates a ring: processes that run one function together, each linked to the next. Processes start when it runs.
     *
     * @param size number of members; at least 1
     * @throws IllegalArgumentException (FBR-305) if {@code size} is less than 1
     */
    default Ring ring(int size) {
        return ringBuilder(size).build();
    }

    /**
     * Returns a builder for a ring.
     *
     * @param size number of members; at least 1
     * @throws IllegalArgumentException (FBR-305) if {@code size} is less than 1
     */
    RingBuilder ringBuilder(int size);

    /**
     * Starts a manager, a process that hosts objects shared by all processes of the program. Waits until it is ready.
     *
     * @throws FiberException as {@link ManagerBuilder#start} throws it
     */
    default Manager manager() {
        return managerBuilder().start();
    }

    /** Returns a builder for a manager. */
    ManagerBuilder managerBuilder();

    /**
     * Creates a queue that holds up to 1,024 items. It lives in this process and ends with it, or with the session of
     * the main process.
     *
     * @param <T> type of the items, which must be serializable
     */
    <T> FiberQueue<T> queue();

    /**
     * Creates a queue, as {@link #queue()} does, with a capacity of your choice.
     *
     * @param <T> type of the items, which must be serializable
     * @param capacity how many items the queue holds before writers wait; at least 1
     * @throws IllegalArgumentException (FBR-305) if {@code capacity} is less than 1
     */
    <T> FiberQueue<T> queue(int capacity);

    /**
     * Creates a pipe: two ends that both send and receive, directly between two processes. You may send either end to
     * another process, which then uses it. Returns at once.
     *
     * <p>The stream ends when the process that <em>used</em> the other end has ended. While no process has used that
     * end, one still may, because its handle can be anywhere. If you wait for a process that could fail before its
     * first message, use {@link Receiver#poll}. Or let another thread close your own end once that process has ended,
     * which ends the wait (FBR-453).
     *
     * @param <A> type of the objects that the first end sends and the second one receives; serializable
     * @param <B> type of the objects that the second end sends and the first one receives; serializable
     */
    <A extends @Nullable Object, B extends @Nullable Object> Pipe<A, B> pipe();

    /**
     * Creates a pipe with one end that receives and one end that sends.
     *
     * @param <T> type of the objects that are sent; serializable
     */
    <T extends @Nullable Object> OneWayPipe<T> oneWayPipe();

    /**
     * Returns the processes that were started through this session and have not ended, in the order of their start.
     * Processes of managers and members of rings are included, workers of pools are not.
     */
    List<FiberProcess> activeChildren();

    /**
     * Sends a large constant value once to each host, where workers share it, instead of with every task. This call
     * writes its bytes to a file in the session's directory; they are sent when a worker first asks for the value.
     *
     * @param value an array or a buffer of bytes, ints, longs, floats or doubles, or any serializable object, of at
     *     most 2147483647 bytes; do not change it any more. The remaining elements of a buffer are used, and workers
     *     read them without a copy
     * @return a handle for use in tasks
     * @throws FiberException FBR-510 if the value is too long, FBR-511 if there is no room for it, FBR-201 if it cannot
     *     be serialized
     */
    <T> Broadcast<T> broadcast(T value);

    /** Returns how many processors this machine has, as the JVM sees them. The cluster's processors are not counted. */
    int cpuCount();

    /** Returns the identity of the calling process. */
    CurrentProcess currentProcess();

    /** Returns the name of the selected backend, for example {@code local}. */
    String backend();

    /**
     * Returns the configuration in effect, for people to read: one setting in each line, with its value and its origin.
     * Sensitive values are masked. The counters of this session follow: rejected peers that could not authenticate, and
     * the counters of the transport.
     */
    String describe();

    /**
     * Ends the session and everything that was started through it, without waiting for tasks or programs. Pending calls
     * fail. Blocks for a bounded time; the interrupt status of the thread is kept. Idempotent.
     */
    void shutdownNow();

    /**
     * Ends the session when its work is done. Waits for submitted tasks of pools, joins processes that are not daemons
     * and terminates those that are. Blocks as long as that takes. If another thread is already closing or terminating
     * the session, returns at once, before the session has ended. Idempotent.
     *
     * @throws WaitInterruptedException if the thread is interrupted while it waits; everything is terminated then
     */
    @Override
    void close();
}
