// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import io.fiber.FiberQueue;
import io.fiber.QueueClosedException;
import io.fiber.SerializationException;
import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.runtime.rpc.ObjectAddress;
import io.fiber.runtime.rpc.ProcessContext;
import io.fiber.runtime.rpc.Reply;
import io.fiber.runtime.rpc.Request;
import io.fiber.runtime.serialization.ValueName;
import io.fiber.runtime.shared.host.Kind;
import io.fiber.runtime.shared.machines.Operation;
import io.fiber.runtime.shared.machines.Outcome;
import io.fiber.runtime.shared.machines.QueueMachine.Delivery;
import io.fiber.runtime.shared.machines.SyncReply;
import io.fiber.runtime.shared.machines.SyncRequest;
import java.time.Duration;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A queue as a process holds it, wherever it lives. Thread-safe. */
@SuppressWarnings({"unchecked", "NullAway"}) // an item is what was put in
public class QueueProxy<E> extends SyncProxy implements FiberQueue<E> {
    private static final long serialVersionUID = 1L;

    private static final ValueName ITEM = new ValueName("an item", "a queue");

    /** Tells the queue, which keeps each item until then, that a thread has done with one. */
    private record Receipt(RemoteObject queue, long delivery) implements Runnable {
        @Override
        public void run() {
            queue.process().router().tell(queue.address(), request());
        }

        Request request() {
            return SyncRequest.encodeTold(Operation.RECEIVED, delivery);
        }
    }

    QueueProxy(RemoteObject remote, Kind kind) {
        super(remote, ObjectHandle.of(kind, remote), "queue");
    }

    /**
     * Makes a queue that lives in this process.
     *
     * @throws IllegalArgumentException (FBR-305) when {@code capacity} is less than 1
     */
    public static <T> FiberQueue<T> make(ProcessContext process, int capacity) {
        ObjectsClient.atLeast(1, capacity, "capacity");
        ObjectAddress address = process.router().host(Kind.queue(capacity));
        return new QueueProxy<>(new RemoteObject(process, address), Kind.QUEUE);
    }

    private SealedPayload payload(E item) {
        return remote().process().seal(Objects.requireNonNull(item, "item"), ITEM);
    }

    /** A process with which the queue ends too takes nothing from others by dying. */
    private boolean outlivesThisProcess() {
        return !remote().address().host().isUnder(remote().process().router().path());
    }

    /** The calling thread has done with the item that it took before, and says so with the call that takes the next. */
    private long beforeTaking() {
        if (remote().process().afterwards().take(remote().address()) instanceof Receipt receipt) {
            remote().process().router().tellWithNext(remote().address(), receipt.request());
        }
        boolean isKept = handle().kind() == Kind.JOINABLE_QUEUE || outlivesThisProcess();
        return (isKept ? Delivery.AT_LEAST_ONCE : Delivery.AT_MOST_ONCE).number();
    }

    /** Tells whether the queue keeps what a thread has taken until the thread has done with it. */
    private boolean isKeptUntilReceived() {
        return handle().kind() == Kind.QUEUE && outlivesThisProcess();
    }

    private E item(SyncReply reply) {
        if (reply.outcome() == Outcome.CLOSED) {
            throw new QueueClosedException(
                    "FBR-411", "The queue " + remote().address() + " is closed, and all its items were received.");
        }
        // Of a joinable queue's items, taskDone() reports the end.
        if (isKeptUntilReceived()) {
            remote().process().afterwards().add(remote().address(), new Receipt(remote(), reply.number()));
        }
        return (E) remote().process().codecs().values().read(remote().open(reply.item()), ITEM);
    }

    /** An item for which a heap on its way had no room is taken nonetheless, as its reader is told. */
    @Override
    final RuntimeException failure(Operation operation, Reply reply) {
        RuntimeException failure = super.failure(operation, reply);
        boolean takes = operation == Operation.TAKE || operation == Operation.POLL;
        if (takes && failure instanceof SerializationException && isKeptUntilReceived()) {
            awaitUninterruptibly(Operation.TASK_DONE, 0, SealedPayload.none());
        }
        return failure;
    }

    @Override
    public final void put(E item) {
        requireHeld(call(Operation.PUT, 0, payload(item)));
    }

    @Override
    public final boolean offer(E item) {
        return requireHeld(now(Operation.OFFER, 0, payload(item))).outcome() == Outcome.DONE;
    }

    @Override
    public final boolean offer(E item, Duration limit) {
        if (limit.isNegative() || limit.isZero()) {
            return offer(item);
        }
        return call(Operation.PUT, 0, payload(item), limit)
                .map(this::requireHeld)
                .isPresent();
    }

    private SyncReply requireHeld(SyncReply reply) {
        if (reply.outcome() == Outcome.CLOSED) {
            throw new QueueClosedException(
                    "FBR-410",
                    "The queue " + remote().address() + " is closed and takes no more items; nothing was added.");
        }
        return reply;
    }

    @Override
    public final E take() {
        return item(call(Operation.TAKE, beforeTaking()));
    }

    @Override
    public final Optional<E> poll() {
        SyncReply reply = now(Operation.POLL, beforeTaking());
        return reply.outcome() == Outcome.WOULD_WAIT ? Optional.empty() : Optional.of(item(reply));
    }

    @Override
    public final Optional<E> poll(Duration limit) {
        if (limit.isNegative() || limit.isZero()) {
            return poll();
        }
        return call(Operation.TAKE, beforeTaking(), limit).map(this::item);
    }

    @Override
    public final Iterator<E> iterator() {
        return new Iterator<>() {
            private @Nullable E next;

            @Override
            public boolean hasNext() {
                if (next == null) {
                    try {
                        next = take();
                    } catch (QueueClosedException e) {
                        return false;
                    }
                }
                return true;
            }

            @Override
            public E next() {
                if (!hasNext()) {
                    throw new NoSuchElementException("The queue is closed, and all its items were received.");
                }
                E item = next;
                next = null;
                return item;
            }
        };
    }

    @Override
    public final int size() {
        return (int) now(Operation.SIZE, 0).number();
    }

    @Override
    public final void close() {
        // Without an answer the process where it lived is gone, and the queue with it.
        awaitUninterruptibly(Operation.CLOSE, 0, SealedPayload.none());
    }
}
