// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import io.fiber.function.RemoteCallable;
import io.fiber.function.RemoteRunnable;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link Manager} offers, to the program that has started it and to those that are {@linkplain ConnectedManager
 * connected}: it makes objects in the manager's process and returns handles of them, and gives them names by which others
 * find them.
 *
 * <p>Calls on one object run one at a time, those of one thread in their order; different objects run in parallel. A
 * caller that waits for a lock or an item costs the host no thread.
 *
 * <p>Thread-safe. Every method waits for the manager's process, and throws what {@link Manager} says.
 */
public interface ManagedObjects {

    /** Makes an empty list. */
    default <E extends @Nullable Object> ManagedList<E> list() {
        return list(List.of());
    }

    /** Makes a list of these elements. */
    <E extends @Nullable Object> ManagedList<E> list(Collection<? extends E> elements);

    /** Makes an empty map. */
    default <K extends @Nullable Object, V extends @Nullable Object> ManagedMap<K, V> map() {
        return map(Map.of());
    }

    /** Makes a map of these entries. */
    <K extends @Nullable Object, V extends @Nullable Object> ManagedMap<K, V> map(
            Map<? extends K, ? extends V> entries);

    /** Makes an empty namespace. */
    ManagedNamespace namespace();

    /** Makes a value. */
    <T extends @Nullable Object> ManagedValue<T> value(T initial);

    /** Makes an array of these numbers. */
    ManagedArray<Integer, int[]> array(int[] initial);

    /** Makes an array of these numbers. */
    ManagedArray<Long, long[]> array(long[] initial);

    /** Makes an array of these numbers. */
    ManagedArray<Double, double[]> array(double[] initial);

    /** Makes a queue whose writers wait only when its items fill a quarter of the heap of the manager's process. */
    <E> FiberQueue<E> queue();

    /**
     * Makes a queue whose writers wait when it is full.
     *
     * @param capacity at least 1
     * @throws IllegalArgumentException (FBR-305) when it is less
     */
    <E> FiberQueue<E> queue(int capacity);

    /** Makes such a queue that keeps account of items until they are done. */
    <E> JoinableQueue<E> joinableQueue();

    /**
     * Makes a queue whose writers wait when it is full, and that keeps account of items until they are done.
     *
     * @param capacity at least 1
     * @throws IllegalArgumentException (FBR-305) when it is less
     */
    <E> JoinableQueue<E> joinableQueue(int capacity);

    /** Makes a lock that its holder cannot lock again. */
    ManagedLock lock();

    /** Makes a lock that its holder can lock again, and must unlock as often. */
    ManagedLock reentrantLock();

    /**
     * Makes a semaphore that may get more permits than it began with.
     *
     * @param permits at least 0
     * @throws IllegalArgumentException (FBR-305) when it is less
     */
    ManagedSemaphore semaphore(int permits);

    /**
     * Makes a semaphore that never has more permits than it began with.
     *
     * @param permits at least 1
     * @throws IllegalArgumentException (FBR-305) when it is less
     */
    ManagedSemaphore boundedSemaphore(int permits);

    /** Makes an event that is not set. */
    ManagedEvent event();

    /**
     * Makes a barrier.
     *
     * @param parties how many it waits for; at least 1
     * @throws IllegalArgumentException (FBR-305) when it is less
     */
    ManagedBarrier barrier(int parties);

    /**
     * Makes a barrier with an action.
     *
     * @param parties how many it waits for; at least 1
     * @param action run by the party that comes last, in its process, before any party goes on
     * @throws IllegalArgumentException (FBR-305) when {@code parties} is less
     */
    ManagedBarrier barrier(int parties, RemoteRunnable action);

    /**
     * Hosts a copy of an object, and returns a handle whose methods run there.
     *
     * @param type an interface; arguments and results of its methods travel as copies
     * @param instance must be serializable
     * @throws IllegalArgumentException (FBR-435) when {@code type} is no interface
     */
    <T> T shareCopy(Class<T> type, T instance);

    /**
     * Makes an object in the manager's process, and returns a handle whose methods run there. What they throw arrives as
     * {@link RemoteTaskException}.
     *
     * @param type an interface; arguments and results of its methods travel as copies
     * @param factory runs in the manager's process; what it returns stays there and need not be serializable
     * @throws IllegalArgumentException (FBR-435) when {@code type} is no interface
     * @throws RemoteTaskException what the factory threw
     */
    <T> T share(Class<T> type, RemoteCallable<? extends T> factory);

    /**
     * Makes an object in the manager's process, and returns a handle whose calls answer with futures, so that one thread
     * keeps many objects busy:
     *
     * <pre>{@code
     * List<AsyncProxy<CartPole>> poles =
     *         Stream.generate(() -> manager.hostAsync(CartPole::new)).limit(4).toList();
     * List<CompletableFuture<Step>> steps =
     *         poles.stream().map(pole -> pole.call(p -> p.step(1))).toList();
     * }</pre>
     *
     * @param factory runs in the manager's process; what it returns stays there and need not be serializable
     * @throws RemoteTaskException what the factory threw
     */
    <T> AsyncProxy<T> hostAsync(RemoteCallable<? extends T> factory);

    /**
     * Gives a handle a name, in place of what had it before.
     *
     * @param handle a handle of an object, of this manager or of another one of its program, or a queue; anything else that
     *     is serializable travels as a copy
     */
    void publish(String name, Object handle);

    /**
     * Returns what was {@linkplain #publish published} under a name.
     *
     * <pre>{@code
     * ManagedMap<String, Integer> counts = manager.find("counts", ManagedMap.class);
     * }</pre>
     *
     * @param type what it is; the types of its elements are the caller's word
     * @throws FiberException FBR-441 when nothing has the name, FBR-447 when what has it is of another type
     */
    <T> T find(String name, Class<? super T> type);
}
