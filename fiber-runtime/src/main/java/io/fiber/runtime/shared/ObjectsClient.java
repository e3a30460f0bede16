// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import static java.util.Objects.requireNonNull;

import io.fiber.AsyncProxy;
import io.fiber.FiberException;
import io.fiber.FiberQueue;
import io.fiber.JoinableQueue;
import io.fiber.ManagedArray;
import io.fiber.ManagedBarrier;
import io.fiber.ManagedEvent;
import io.fiber.ManagedList;
import io.fiber.ManagedLock;
import io.fiber.ManagedMap;
import io.fiber.ManagedNamespace;
import io.fiber.ManagedObjects;
import io.fiber.ManagedSemaphore;
import io.fiber.ManagedValue;
import io.fiber.function.RemoteCallable;
import io.fiber.function.RemoteRunnable;
import io.fiber.runtime.rpc.ObjectAddress;
import io.fiber.runtime.shared.host.Kind;
import io.fiber.runtime.shared.host.ObjectOperation;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a manager makes and finds, as any program that may use it holds it. Thread-safe. */
public abstract class ObjectsClient implements ManagedObjects {

    private static final long UNBOUNDED = Long.MAX_VALUE;

    /** Returns the object of the manager that makes and names the others. */
    protected abstract RemoteObject registry();

    private RemoteObject create(Kind kind, @Nullable Object... arguments) {
        Object made = registry().callWith(ObjectOperation.CREATE, kind, arguments);
        return new RemoteObject(registry().process(), (ObjectAddress) requireNonNull(made));
    }

    @Override
    public <E extends @Nullable Object> ManagedList<E> list(Collection<? extends E> elements) {
        return new ListProxy<>(create(Kind.LIST, new ArrayList<>(elements)));
    }

    @Override
    public <K extends @Nullable Object, V extends @Nullable Object> ManagedMap<K, V> map(
            Map<? extends K, ? extends V> entries) {
        return new MapProxy<>(create(Kind.MAP, new LinkedHashMap<>(entries)));
    }

    @Override
    public ManagedNamespace namespace() {
        return new NamespaceProxy(create(Kind.NAMESPACE, Map.of()));
    }

    @Override
    public <T extends @Nullable Object> ManagedValue<T> value(T initial) {
        return new ValueProxy<>(create(Kind.VALUE, initial));
    }

    @Override
    public ManagedArray<Integer, int[]> array(int[] initial) {
        return new ArrayProxy<>(create(Kind.ARRAY, requireNonNull(initial, "initial")), initial.length);
    }

    @Override
    public ManagedArray<Long, long[]> array(long[] initial) {
        return new ArrayProxy<>(create(Kind.ARRAY, requireNonNull(initial, "initial")), initial.length);
    }

    @Override
    public ManagedArray<Double, double[]> array(double[] initial) {
        return new ArrayProxy<>(create(Kind.ARRAY, requireNonNull(initial, "initial")), initial.length);
    }

    @Override
    public <E> FiberQueue<E> queue() {
        return new QueueProxy<>(create(Kind.QUEUE, UNBOUNDED), Kind.QUEUE);
    }

    @Override
    public <E> FiberQueue<E> queue(int capacity) {
        return new QueueProxy<>(create(Kind.QUEUE, atLeast(1, capacity, "capacity")), Kind.QUEUE);
    }

    @Override
    public <E> JoinableQueue<E> joinableQueue() {
        return new JoinableQueueProxy<>(create(Kind.JOINABLE_QUEUE, UNBOUNDED));
    }

    @Override
    public <E> JoinableQueue<E> joinableQueue(int capacity) {
        return new JoinableQueueProxy<>(create(Kind.JOINABLE_QUEUE, atLeast(1, capacity, "capacity")));
    }

    @Override
    public ManagedLock lock() {
        return new LockProxy(create(Kind.LOCK), Kind.LOCK);
    }

    @Override
    public ManagedLock reentrantLock() {
        return new LockProxy(create(Kind.REENTRANT_LOCK), Kind.REENTRANT_LOCK);
    }

    @Override
    public ManagedSemaphore semaphore(int permits) {
        return new SemaphoreProxy(create(Kind.SEMAPHORE, atLeast(0, permits, "permits"), UNBOUNDED));
    }

    @Override
    public ManagedSemaphore boundedSemaphore(int permits) {
        long bound = atLeast(1, permits, "permits");
        return new SemaphoreProxy(create(Kind.SEMAPHORE, bound, bound));
    }

    @Override
    public ManagedEvent event() {
        return new EventProxy(create(Kind.EVENT));
    }

    @Override
    public ManagedBarrier barrier(int parties) {
        return new BarrierProxy(create(Kind.BARRIER, atLeast(1, parties, "parties")), parties, null);
    }

    @Override
    public ManagedBarrier barrier(int parties, RemoteRunnable action) {
        requireNonNull(action, "action");
        return new BarrierProxy(create(Kind.BARRIER_WITH_ACTION, atLeast(1, parties, "parties")), parties, action);
    }

    @Override
    public <T> T shareCopy(Class<T> type, T instance) {
        return shared(type, requireNonNull(instance, "instance"));
    }

    @Override
    public <T> T share(Class<T> type, RemoteCallable<? extends T> factory) {
        return shared(type, requireNonNull(factory, "factory"));
    }

    @Override
    public <T> AsyncProxy<T> hostAsync(RemoteCallable<? extends T> factory) {
        return new AsyncObjectProxy<>(create(Kind.ASYNC, requireNonNull(factory, "factory")));
    }

    private <T> T shared(Class<T> type, Object instanceOrFactory) {
        if (!type.isInterface()) {
            throw new IllegalArgumentException("FBR-435 " + type.getName()
                    + " is not an interface, so Fiber cannot create a handle for it. Share the object through an"
                    + " interface that it implements.");
        }
        return SharedHandler.proxy(type, create(Kind.SHARED, type, instanceOrFactory));
    }

    static long atLeast(int least, int value, String name) {
        if (value < least) {
            throw new IllegalArgumentException(
                    "FBR-305 " + name + " is " + value + "; expected at least " + least + ".");
        }
        return value;
    }

    @Override
    public void publish(String name, Object handle) {
        registry().call(ObjectOperation.PUT, requireNonNull(name, "name"), requireNonNull(handle, "handle"));
    }

    @Override
    @SuppressWarnings("unchecked") // the types of its elements are the caller's word
    public <T> T find(String name, Class<? super T> type) {
        Object found = registry().call(ObjectOperation.GET, requireNonNull(name, "name"));
        if (!type.isInstance(found)) {
            throw new FiberException(
                    "FBR-447",
                    "The object '" + name + "' of this manager is "
                            + (found == null ? "null" : "of " + found.getClass())
                            + ", not of " + type + ". Request the type that was published.");
        }
        return (T) found;
    }
}
