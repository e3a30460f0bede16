// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import io.fiber.ManagedQueue;
import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.runtime.rpc.AckTracker;
import io.fiber.runtime.serialization.Subject;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/** A managed queue as a program holds it. Thread-safe. */
@SuppressWarnings({"unchecked", "NullAway"}) // an item is what was put in
class QueueProxy<E> extends Proxied implements ManagedQueue<E> {
    private static final long serialVersionUID = 1L;

    private static final Subject ITEM = new Subject("an item", "a managed queue");

    private final Kind kind;
    private final transient SyncRemote queue;
    private final transient AckTracker acks;

    QueueProxy(RemoteObject remote, Kind kind) {
        super(remote);
        this.kind = kind;
        this.queue = new SyncRemote(remote, "queue");
        this.acks = new AckTracker(remote.process(), remote.address(), Operation.RECEIVED.code());
    }

    @Override
    final ObjectHandle handle() {
        return ObjectHandle.of(kind, remote());
    }

    final SyncRemote queue() {
        return queue;
    }

    private SealedPayload payload(E item) {
        return remote().process().seal(Objects.requireNonNull(item, "item"), ITEM);
    }

    /** Acknowledgements are for items whose end no {@code taskDone()} reports. */
    private boolean owesAcks() {
        return kind == Kind.QUEUE && acks.areOwed();
    }

    private long beforeTaking() {
        acks.next();
        return kind == Kind.JOINABLE_QUEUE || acks.areOwed() ? QueueMachine.KEPT : QueueMachine.GIVEN;
    }

    private E item(SyncReply reply) {
        if (owesAcks()) {
            acks.taken(reply.number());
        }
        return (E) remote().process().codecs().values().read(remote().open(reply.item()), ITEM);
    }

    @Override
    public final void put(E item) {
        queue.await(Operation.PUT, 0, payload(item));
    }

    @Override
    public final boolean offer(E item) {
        return queue.now(Operation.OFFER, 0, payload(item)).outcome() == Outcome.DONE;
    }

    @Override
    public final boolean offer(E item, Duration timeout) {
        if (timeout.isNegative() || timeout.isZero()) {
            return offer(item);
        }
        return queue.await(Operation.PUT, 0, payload(item), timeout).isPresent();
    }

    @Override
    public final E take() {
        return item(queue.await(Operation.TAKE, beforeTaking(), SealedPayload.none()));
    }

    @Override
    public final Optional<E> poll() {
        SyncReply reply = queue.now(Operation.POLL, beforeTaking());
        return reply.outcome() == Outcome.DONE ? Optional.of(item(reply)) : Optional.empty();
    }

    @Override
    public final Optional<E> poll(Duration timeout) {
        if (timeout.isNegative() || timeout.isZero()) {
            return poll();
        }
        return queue.await(Operation.TAKE, beforeTaking(), SealedPayload.none(), timeout)
                .map(this::item);
    }

    @Override
    public final int size() {
        return (int) queue.now(Operation.SIZE, 0).number();
    }
}
