// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import static java.util.Objects.requireNonNull;

import io.fiber.FiberException;
import io.fiber.FiberQueue;
import io.fiber.QueueClosedException;
import io.fiber.runtime.protocol.PayloadOutput;
import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.runtime.rpc.AckTracker;
import io.fiber.runtime.rpc.ObjectAddress;
import io.fiber.runtime.rpc.ProcessContext;
import io.fiber.runtime.rpc.Reply;
import io.fiber.runtime.rpc.Request;
import io.fiber.runtime.rpc.RpcRouter;
import io.fiber.runtime.security.SealException;
import io.fiber.runtime.serialization.Subject;
import java.time.Duration;
import java.util.Optional;

/** A queue as a process holds it, wherever it lives. Thread-safe. */
public final class QueueHandle<T> implements FiberQueue<T> {
    private static final long serialVersionUID = 1L;

    private static final Subject ITEM = new Subject("an item", "a queue");

    private final ObjectAddress address;
    private final transient ProcessContext process;
    private final transient AckTracker acks;

    private QueueHandle(ObjectAddress address, ProcessContext process) {
        this.address = address;
        this.process = process;
        this.acks = new AckTracker(process, address, Operation.RECEIVED.code());
    }

    /**
     * Makes a queue that lives in this process.
     *
     * @throws IllegalArgumentException when {@code capacity} is less than 1
     */
    public static <T> FiberQueue<T> make(ProcessContext process, int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException(
                    "FBR-305 capacity is " + capacity + "; expected how many items the queue may hold, at least 1.");
        }
        return new QueueHandle<>(
                process.router().host(new SyncHost(replies -> new QueueMachine(capacity, replies))), process);
    }

    @Override
    public void put(T item) {
        Request request = SyncRemote.request(Operation.PUT, 0, sealed(item));
        requireHeld(exchange().await(address, request, "room in a queue"));
    }

    @Override
    public boolean offer(T item, Duration limit) {
        Request request = SyncRemote.request(Operation.PUT, 0, sealed(item));
        Reply reply = exchange().await(address, request, requireNonNull(limit, "limit"), "room in a queue");
        if (reply instanceof Reply.Abandoned) {
            return false;
        }
        requireHeld(reply);
        return true;
    }

    private SealedPayload sealed(T item) {
        PayloadOutput out = new PayloadOutput();
        process.codecs().values().write(requireNonNull(item, "item"), out, ITEM);
        return process.seals().close(out.toPayload());
    }

    private void requireHeld(Reply reply) {
        if (answer(reply).outcome() == Outcome.CLOSED) {
            throw new QueueClosedException(
                    "FBR-410", "The queue " + address + " is closed and takes no more items; nothing was added.");
        }
    }

    @Override
    public T take() {
        return received(exchange().await(address, takeRequest(), "an item of a queue"));
    }

    @Override
    public Optional<T> poll(Duration limit) {
        requireNonNull(limit, "limit");
        Reply reply = exchange().await(address, takeRequest(), limit, "an item of a queue");
        return reply instanceof Reply.Abandoned ? Optional.empty() : Optional.of(received(reply));
    }

    private Request takeRequest() {
        acks.next();
        return SyncRemote.request(
                Operation.TAKE, acks.areOwed() ? QueueMachine.KEPT : QueueMachine.GIVEN, SealedPayload.none());
    }

    private T received(Reply reply) {
        SyncReply answer = answer(reply);
        if (answer.outcome() == Outcome.CLOSED) {
            throw new QueueClosedException(
                    "FBR-411", "The queue " + address + " is closed, and all its items were received.");
        }
        if (acks.areOwed()) {
            acks.taken(answer.number());
        }
        return read(answer.item());
    }

    @SuppressWarnings("unchecked") // what was put is what is taken
    private T read(SealedPayload payload) {
        try {
            Object item =
                    process.codecs().values().read(process.seals().open(payload).open(), ITEM);
            return (T) requireNonNull(item, "item");
        } catch (SealException e) {
            throw new FiberException(
                    "FBR-412", "An item of the queue " + address + " is not what was put: its seal is broken.", e);
        }
    }

    @Override
    public int size() {
        return (int) answer(exchange().await(address, request(Operation.SIZE), "the size of a queue"))
                .number();
    }

    @Override
    public void close() {
        exchange().await(address, request(Operation.CLOSE), "the close of a queue");
    }

    private static Request request(Operation operation) {
        return SyncRemote.request(operation, 0, SealedPayload.none());
    }

    private SyncReply answer(Reply reply) {
        if (reply instanceof Reply.Answer answer) {
            return SyncArgument.reply(answer.argument(), answer.payload());
        } else if (reply instanceof Reply.Lost lost) {
            throw lost.reason().toException();
        }
        throw new IllegalStateException("A queue does not answer by " + reply + ".");
    }

    private RpcRouter exchange() {
        return process.router();
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
        return "FiberQueue " + address;
    }
}
