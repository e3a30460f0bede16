// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import io.fiber.function.RemoteRunnable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A session: the front door of Fiber. It holds the connection to one platform and everything that was started through
 * it; what it started does not outlive it. Processes here are processes of the operating system, on this machine or on a
 * cluster; they have nothing to do with virtual threads.
 *
 * <p>Thread-safe. A program usually opens one session, with try-with-resources. Once it is closed, what makes or starts
 * something throws {@link IllegalStateException} (FBR-302); in a process that is 8 levels below the first one of its program
 * it throws {@link FiberException} (FBR-425).
 */
public interface Fiber extends AutoCloseable {

    /**
     * Opens a session with what system properties, the environment and configuration files say. May take as long as the
     * platform takes to answer; starts no process.
     *
     * @throws FiberException when no backend can be chosen or a choice cannot be honoured; the text says what was found
     *     and what to do
     * @throws io.fiber.spi.backend.BackendException when the platform does not answer, or refuses
     * @throws IllegalStateException (FBR-304) in a static initializer or {@code readObject} that runs while a worker
     *     reads what it was sent
     */
    static Fiber open() {
        return builder().open();
    }

    /**
     * Returns a builder that opens a session with choices made in code.
     *
     * @throws ConfigurationException FBR-117 when no engine is on the class path, FBR-118 when there are several
     */
    static FiberBuilder builder() {
        return Engines.only().builder();
    }

    /**
     * Returns the session of the worker that runs the calling code, through which it starts processes of its own, on the
     * platform and with the settings of the session that started the worker. The first call opens it, which takes a
     * moment. Threads that the code starts have the same session.
     *
     * <p>It belongs to the worker: there is no need to close it. Before a process ends, its session is closed as {@link
     * #close()} does it; when a worker dies or is ended by force, what it started is ended by force as well. After it
     * was closed, the next call opens another.
     *
     * @throws IllegalStateException (FBR-301) in a thread that is none of a worker's; use {@link #open()} there.
     *     (FBR-304) in a static initializer or {@code readObject} that runs while a worker reads what it was sent
     */
    static Fiber current() {
        return Engines.only().current();
    }

    /**
     * Starts a process and waits until the worker in it has connected; {@link #processBuilder} names its choices.
     *
     * @param program what the process runs, serialized now; it ends when this returns or throws. It runs at most once: it is
     *     never run again when it fails or its machine is lost
     * @throws FiberException as {@link FiberProcessBuilder#start} throws it
     */
    default FiberProcess process(RemoteRunnable program) {
        return processBuilder(program).start();
    }

    /** Returns a builder of a process that runs this program. */
    FiberProcessBuilder processBuilder(RemoteRunnable program);

    /**
     * Makes a pool of as many workers as the allocation that this program runs in has room for, or else as this machine has
     * processors.
     */
    default Pool pool() {
        return poolBuilder().build();
    }

    /**
     * Makes a pool of worker processes, which start with the first task; {@link #poolBuilder(int)} names its choices.
     *
     * <p>A task of a pool {@linkplain TaskRunner may run more than once}.
     *
     * @param workers how many; at least 1
     * @throws IllegalArgumentException (FBR-305) when it is less
     */
    default Pool pool(int workers) {
        return poolBuilder(workers).build();
    }

    /** Returns a builder of a pool of as many workers as {@link #pool()} makes. */
    PoolBuilder poolBuilder();

    /**
     * Returns a builder of a pool.
     *
     * @param workers how many; at least 1
     * @throws IllegalArgumentException (FBR-305) when it is less
     */
    PoolBuilder poolBuilder(int workers);

    /**
     * Makes a ring: processes that run one function together, each linked to the next. Nothing is started before it runs.
     *
     * @param size how many members; at least 1
     * @throws IllegalArgumentException (FBR-305) when it is less
     */
    default Ring ring(int size) {
        return ringBuilder(size).build();
    }

    /**
     * Returns a builder of a ring.
     *
     * @param size how many members; at least 1
     * @throws IllegalArgumentException (FBR-305) when it is less
     */
    RingBuilder ringBuilder(int size);

    /**
     * Starts a manager: a process that hosts objects which all processes of the program share. Waits until it is ready.
     *
     * @throws FiberException as {@link ManagerBuilder#start} throws it
     */
    default Manager manager() {
        return managerBuilder().start();
    }

    /** Returns a builder of a manager. */
    ManagerBuilder managerBuilder();

    /**
     * Makes a queue that holds up to 1,024 items. It lives in this process and ends with it, or with the session of the
     * main process.
     *
     * @param <T> what is sent: serializable
     */
    <T> FiberQueue<T> queue();

    /**
     * Makes a queue as {@link #queue()} does, with a limit of its own.
     *
     * @param <T> what is sent: serializable
     * @param capacity how many items it holds before writers wait; at least 1
     * @throws IllegalArgumentException (FBR-305) when it is less
     */
    <T> FiberQueue<T> queue(int capacity);

    /**
     * Makes a pipe: two ends that both send and receive, directly from process to process. Either end may be sent to another
     * process, which uses it then. Returns at once.
     *
     * <p>The stream ends when the process that <em>used</em> the other end has ended. As long as no process has used
     * that end, one still may: its handle can be anywhere. To wait for a process that could fail before its first
     * message, use {@link Receiver#poll}, or have another thread close your own end when the process has ended:
     * that ends the wait (FBR-453).
     *
     * @param <A> what the first end sends and the second one receives: serializable
     * @param <B> what the second end sends and the first one receives: serializable
     */
    <A extends @Nullable Object, B extends @Nullable Object> Pipe<A, B> pipe();

    /**
     * Makes a pipe with one end that receives and one that sends.
     *
     * @param <T> what is sent: serializable
     */
    <T extends @Nullable Object> OneWayPipe<T> oneWayPipe();

    /**
     * Returns the processes that were started through this session and have not ended, in the order of their start.
     * Workers of pools are not among them.
     */
    List<FiberProcess> activeChildren();

    /**
     * Sends a large value that does not change once to each host, where workers share it, instead of with every task. Its
     * bytes are written into a file of the session's directory when this is called; they travel when a worker first asks
     * for the value.
     *
     * @param value an array or a buffer of bytes, ints, longs, floats or doubles (of a buffer what remains), or any
     *     serializable object; not to be changed any more. At most 2147483647 bytes. Workers read a buffer without a copy
     * @return what tasks name it by
     * @throws FiberException FBR-510 when it is longer, FBR-511 when there is no room for it, FBR-201 when it cannot be
     *     serialized
     */
    <T> Broadcast<T> broadcast(T value);

    /** Returns how many processors this machine has, as the JVM sees them: not those of the cluster. */
    int cpuCount();

    /** Returns who the calling process is. */
    CurrentProcess currentProcess();

    /** Returns the name of the backend that was chosen, for example {@code local}. */
    String backend();

    /**
     * Returns the configuration in effect, for a person: one setting a line with its value and where it came from,
     * sensitive values masked. Then what this session has counted: peers that were refused because they did not prove
     * themselves, and what the transport counts.
     */
    String describe();

    /**
     * Ends everything that was started through this session, and the session, without waiting for tasks or programs;
     * what is pending fails. Blocks for a bounded time; an interrupted thread stays interrupted. May be called twice
     * and in any state.
     */
    void terminate();

    /**
     * Ends the session when its work is done: waits for what was submitted to pools, joins processes that are not
     * daemons, terminates those that are. Blocks as long as that takes. May be called twice and in any state. A call
     * while another thread closes or terminates the session returns at once, before it has ended.
     *
     * @throws WaitInterruptedException when the thread is interrupted while it waits; everything is terminated then
     */
    @Override
    void close();
}
