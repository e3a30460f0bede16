// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import io.fiber.FiberQueue;
import io.fiber.QueueClosedException;
import io.fiber.SerializationException;
import io.fiber.WaitInterruptedException;
import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.runtime.rpc.ObjectAddress;
import io.fiber.runtime.rpc.ProcessContext;
import io.fiber.runtime.rpc.Reply;
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
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A queue as a process holds it, wherever it lives. Thread-safe. */
@SuppressWarnings({"unchecked", "NullAway"}) // an item is what was put in
public class QueueProxy<E> extends SyncProxy implements FiberQueue<E> {
    private static final long serialVersionUID = 1L;

    private static final ValueName ITEM = new ValueName("an item", "a queue");

    /** Tells the queue, which keeps each item until then, that a thread has done with one. */
    private record Receipt(ReadAhead ahead, long delivery) implements Runnable {
        @Override
        public void run() {
            ahead.end(delivery);
        }
    }

    QueueProxy(RemoteObject remote, Kind kind) {
        super(remote, ObjectHandle.of(kind, remote), "queue");
    }

    private QueuesInUse inUse() {
        return QueuesInUse.of(remote().process());
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

    private Delivery delivery() {
        boolean isKept = isJoinable() || outlivesThisProcess();
        return isKept ? Delivery.AT_LEAST_ONCE : Delivery.AT_MOST_ONCE;
    }

    private boolean isJoinable() {
        return handle().kind() == Kind.JOINABLE_QUEUE;
    }

    private ReadAhead ahead() {
        return inUse().ahead(remote(), delivery());
    }

    /**
     * Takes an item that is here already, or asks the queue. The calling thread is done with the item that it took before,
     * which it says with the next call. The items of a joinable queue are not sent ahead: its readers account for them.
     */
    private Optional<SyncReply> take(Function<Long, Optional<SyncReply>> ask) {
        if (isJoinable()) {
            return ask.apply(Delivery.AT_LEAST_ONCE.number());
        }
        ReadAhead ahead = ahead();
        if (remote().process().afterwards().take(remote().address()) instanceof Receipt receipt) {
            ahead.done(receipt.delivery);
        }
        return ahead.next().or(() -> {
            Optional<SyncReply> asked = ask.apply(delivery().number());
            asked.filter(SyncReply::hasItem).ifPresent(ahead::answered);
            return asked;
        });
    }

    /** Tells whether the queue keeps what a thread has taken until the thread has done with it. */
    private boolean isKeptUntilReceived() {
        return !isJoinable() && outlivesThisProcess();
    }

    private E item(SyncReply reply) {
        if (reply.outcome() == Outcome.CLOSED) {
            throw new QueueClosedException(
                    "FBR-411", "The queue " + remote().address() + " is closed, and all its items were received.");
        }
        // Of a joinable queue's items, taskDone() reports the end.
        if (isKeptUntilReceived()) {
            remote().process().afterwards().add(remote().address(), new Receipt(ahead(), reply.number()));
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
        SealedPayload payload = payload(item);
        requireUninterrupted();
        PutWindow window = inUse().window(remote());
        if (window.isOpen()) {
            window.put(new SyncRequest(Operation.SEND, Thread.currentThread().getId(), 0, payload).encode());
            return;
        }
        window.requireSound();
        SyncReply reply = call(Operation.PUT, 0, payload);
        if (reply.outcome() == Outcome.CLOSED) {
            throw window.takeFailure(1);
        }
        window.open(reply.number());
    }

    @Override
    public final void flush() {
        inUse().flush(remote());
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
        requireUninterrupted();
        return item(
                take(delivery -> Optional.of(call(Operation.TAKE, delivery))).orElseThrow());
    }

    /** An interrupted thread takes not even an item that is here, and puts nothing that would not have to wait. */
    private void requireUninterrupted() {
        if (Thread.currentThread().isInterrupted()) {
            throw new WaitInterruptedException("queue", new InterruptedException());
        }
    }

    @Override
    public final Optional<E> poll() {
        return take(delivery -> Optional.of(now(Operation.POLL, delivery)))
                .filter(reply -> reply.outcome() != Outcome.WOULD_WAIT)
                .map(this::item);
    }

    @Override
    public final Optional<E> poll(Duration limit) {
        if (limit.isNegative() || limit.isZero()) {
            return poll();
        }
        requireUninterrupted();
        return take(delivery -> call(Operation.TAKE, delivery, limit)).map(this::item);
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
