// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import static java.util.Objects.requireNonNull;

import io.fiber.FiberException;
import io.fiber.QueueClosedException;
import io.fiber.SimpleQueue;
import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.runtime.rpc.AckTracker;
import io.fiber.runtime.rpc.ObjectAddress;
import io.fiber.runtime.rpc.ProcessContext;
import io.fiber.runtime.security.SealException;
import io.fiber.runtime.serialization.Subject;
import java.time.Duration;
import java.util.Optional;

/** A queue as a process holds it, wherever it lives. Thread-safe. */
public final class QueueHandle<T> implements SimpleQueue<T> {
    private static final long serialVersionUID = 1L;

    private static final Subject ITEM = new Subject("an item", "a queue");

    private final ObjectAddress address;
    private final transient ProcessContext process;
    private final transient SyncRemote queue;
    private final transient AckTracker acks;

    private QueueHandle(ObjectAddress address, ProcessContext process) {
        this.address = address;
        this.process = process;
        this.queue = new SyncRemote(new RemoteObject(process, address), "queue");
        this.acks = new AckTracker(process, address, Operation.RECEIVED.code());
    }

    /**
     * Makes a queue that lives in this process.
     *
     * @throws IllegalArgumentException when {@code capacity} is less than 1
     */
    public static <T> SimpleQueue<T> make(ProcessContext process, int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException(
                    "capacity is " + capacity + "; expected how many items the queue may hold, at least 1.");
        }
        return new QueueHandle<>(
                process.router().host(new SyncHost(replies -> new QueueMachine(capacity, replies))), process);
    }

    @Override
    public void put(T item) {
        requireHeld(queue.await(Operation.PUT, 0, sealed(item)));
    }

    @Override
    public boolean offer(T item, Duration limit) {
        requireNonNull(limit, "limit");
        return queue.await(Operation.PUT, 0, sealed(item), limit)
                .map(this::requireHeld)
                .isPresent();
    }

    private SealedPayload sealed(T item) {
        return process.seal(requireNonNull(item, "item"), ITEM);
    }

    private SyncReply requireHeld(SyncReply reply) {
        if (reply.outcome() == Outcome.CLOSED) {
            throw new QueueClosedException(
                    "FBR-410", "The queue " + address + " is closed and takes no more items; nothing was added.");
        }
        return reply;
    }

    @Override
    public T take() {
        return received(queue.await(Operation.TAKE, beforeTaking(), SealedPayload.none()));
    }

    @Override
    public Optional<T> poll(Duration limit) {
        requireNonNull(limit, "limit");
        return queue.await(Operation.TAKE, beforeTaking(), SealedPayload.none(), limit)
                .map(this::received);
    }

    private long beforeTaking() {
        acks.next();
        return acks.areOwed() ? QueueMachine.KEPT : QueueMachine.GIVEN;
    }

    private T received(SyncReply reply) {
        if (reply.outcome() == Outcome.CLOSED) {
            throw new QueueClosedException(
                    "FBR-411", "The queue " + address + " is closed, and all its items were received.");
        }
        if (acks.areOwed()) {
            acks.taken(reply.number());
        }
        return read(reply.item());
    }

    @SuppressWarnings("unchecked") // what was put is what is taken
    private T read(SealedPayload payload) {
        try {
            return (T) requireNonNull(process.open(payload, ITEM), "item");
        } catch (SealException e) {
            throw new FiberException(
                    "FBR-412", "An item of the queue " + address + " is not what was put: its seal is broken.", e);
        }
    }

    @Override
    public int size() {
        return (int) queue.await(Operation.SIZE, 0, SealedPayload.none()).number();
    }

    @Override
    public void close() {
        queue.await(Operation.CLOSE, 0, SealedPayload.none());
    }

    private Object readResolve() {
        return new QueueHandle<T>(address, ProcessContext.current());
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof QueueHandle<?> handle && handle.address.equals(address);
    }

    @Override
    public int hashCode() {
        return address.hashCode();
    }

    @Override
    public String toString() {
        return "SimpleQueue " + address;
    }
}
