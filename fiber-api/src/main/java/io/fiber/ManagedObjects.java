// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import io.fiber.function.RemoteCallable;
import io.fiber.function.RemoteRunnable;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Creates objects in the process of a {@link Manager} and returns handles to them, and publishes them under names for
 * other programs to find. Both the program that started the manager and {@linkplain ConnectedManager connected}
 * programs use it.
 *
 * <p>Calls on one object run one at a time, and those of one thread run in their order. Calls on different objects run
 * in parallel. A caller that waits for a lock or an item does not occupy a thread of the manager's process.
 *
 * <p>Every method waits for the manager's process. Thread-safe. {@link Manager} lists the exceptions.
 */
public interface ManagedObjects {

    /** Creates an empty list. */
    default <E extends @Nullable Object> ManagedList<E> list() {
        return list(List.of());
    }

    /** Creates a list of these elements. */
    <E extends @Nullable Object> ManagedList<E> list(Collection<? extends E> elements);

    /** Creates an empty map. */
    default <K extends @Nullable Object, V extends @Nullable Object> ManagedMap<K, V> map() {
        return map(Map.of());
    }

    /** Creates a map of these entries. */
    <K extends @Nullable Object, V extends @Nullable Object> ManagedMap<K, V> map(
            Map<? extends K, ? extends V> entries);

    /** Creates an empty namespace. */
    ManagedNamespace namespace();

    /** Creates a value. */
    <T extends @Nullable Object> ManagedValue<T> value(T initial);

    /** Creates an array of these numbers. */
    ManagedArray<Integer, int[]> array(int[] initial);

    /** Creates an array of these numbers. */
    ManagedArray<Long, long[]> array(long[] initial);

    /** Creates an array of these numbers. */
    ManagedArray<Double, double[]> array(double[] initial);

    /** Creates a queue whose writers wait only when its items fill a quarter of the heap of the manager's process. */
    <E> FiberQueue<E> queue();

    /**
     * Creates a queue whose writers wait when it is full.
     *
     * @param capacity at least 1
     * @throws IllegalArgumentException (FBR-305) if {@code capacity} is less than 1
     */
    <E> FiberQueue<E> queue(int capacity);

    /**
     * Creates a queue that tracks items until they are done. Its writers wait only when its items fill a quarter of the
     * heap of the manager's process.
     */
    <E> JoinableQueue<E> joinableQueue();

    /**
     * Creates a queue that tracks items until they are done. Its writers wait when it is full.
     *
     * @param capacity at least 1
     * @throws IllegalArgumentException (FBR-305) if {@code capacity} is less than 1
     */
    <E> JoinableQueue<E> joinableQueue(int capacity);

    /** Creates a lock that is not reentrant. */
    ManagedLock lock();

    /** Creates a reentrant lock, which its holder must unlock as often as it locked it. */
    ManagedLock reentrantLock();

    /**
     * Creates a semaphore that may get more permits than its initial number.
     *
     * @param permits at least 0
     * @throws IllegalArgumentException (FBR-305) if {@code permits} is negative
     */
    ManagedSemaphore semaphore(int permits);

    /**
     * Creates a semaphore that never has more permits than its initial number.
     *
     * @param permits at least 1
     * @throws IllegalArgumentException (FBR-305) if {@code permits} is less than 1
     */
    ManagedSemaphore boundedSemaphore(int permits);

    /** Creates an event that is not set. */
    ManagedEvent event();

    /**
     * Creates a barrier.
     *
     * @param parties how many parties the barrier waits for; at least 1
     * @throws IllegalArgumentException (FBR-305) if {@code parties} is less than 1
     */
    ManagedBarrier barrier(int parties);

    /**
     * Creates a barrier with an action.
     *
     * @param parties how many parties the barrier waits for; at least 1
     * @param action the last party to arrive runs it, in its own process, before any party continues
     * @throws IllegalArgumentException (FBR-305) if {@code parties} is less than 1
     */
    ManagedBarrier barrier(int parties, RemoteRunnable action);

    /**
     * Hosts a copy of an object and returns a handle whose methods run on that copy.
     *
     * @param type an interface; arguments and results of its methods travel as copies
     * @param instance must be serializable
     * @throws IllegalArgumentException (FBR-435) if {@code type} is not an interface
     */
    <T> T shareCopy(Class<T> type, T instance);

    /**
     * Creates an object in the manager's process and returns a handle whose methods run there. If a method throws, the
     * caller gets {@link RemoteTaskException}.
     *
     * @param type an interface; arguments and results of its methods travel as copies
     * @param factory runs in the manager's process; what it returns stays there and need not be serializable
     * @throws IllegalArgumentException (FBR-435) if {@code type} is not an interface
     * @throws RemoteTaskException if the factory throws
     */
    <T> T share(Class<T> type, RemoteCallable<? extends T> factory);

    /**
     * Creates an object in the manager's process and returns a handle whose calls return futures, so that one thread
     * can keep many objects busy:
     *
     * <pre>{@code
     * List<AsyncProxy<CartPole>> poles =
     *         Stream.generate(() -> manager.hostAsync(CartPole::new)).limit(4).toList();
     * List<CompletableFuture<Step>> steps =
     *         poles.stream().map(pole -> pole.call(p -> p.step(1))).toList();
     * }</pre>
     *
     * @param factory runs in the manager's process; what it returns stays there and need not be serializable
     * @throws RemoteTaskException if the factory throws
     */
    <T> AsyncProxy<T> hostAsync(RemoteCallable<? extends T> factory);

    /**
     * Publishes a handle under a name. If the name is taken, the handle replaces what was published before.
     *
     * @param handle a handle of an object of this manager or of another manager of its program, or a queue; anything
     *     else that is serializable travels as a copy
     */
    void publish(String name, Object handle);

    /**
     * Returns what was {@linkplain #publish published} under a name.
     *
     * <pre>{@code
     * ManagedMap<String, Integer> counts = manager.find("counts", ManagedMap.class);
     * }</pre>
     *
     * @param type the type of what was published; the types of its elements are not checked
     * @throws FiberException FBR-441 if nothing was published under the name, FBR-447 if it is of another type
     */
    <T> T find(String name, Class<? super T> type);
}
