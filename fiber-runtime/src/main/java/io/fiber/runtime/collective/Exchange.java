// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.collective;

import io.fiber.EndOfStreamException;
import io.fiber.FiberException;
import io.fiber.PeerLostException;
import io.fiber.runtime.channel.DirectLink;
import io.fiber.runtime.channel.LinkWait;
import io.fiber.runtime.channel.PartKind;
import io.fiber.runtime.pipe.RawPipeEnd;
import io.fiber.spi.transport.OfferResult;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Drives flows between a member and its neighbours. It sends what is ready and receives what has arrived, in turn, so
 * that no full buffer can stop the ring. Only one thread at a time may use it.
 */
final class Exchange {

    /** The position of the member. */
    record Position(String ring, int rank, int size) implements Serializable {
        int next() {
            return (rank + 1) % size;
        }

        int previous() {
            return (rank + size - 1) % size;
        }

        /** Returns for example {@code rank 1 of ring 'ring-1'}. */
        String describe() {
            return "rank " + rank + " of ring '" + ring + "'";
        }
    }

    private record Part(PartKind kind, long remaining, ByteBuffer content) {}

    private static final int PARTS_AT_ONCE = 4;

    /** A part of this size stays in a processor's nearest caches on its way. */
    private static final int GREATEST_PART_BYTES = 32 << 10;

    /**
     * How many times an idle member yields to others on its host before it naps; there may be more members than
     * processors.
     */
    private static final int YIELDS = 50;

    private final Position position;
    private final RawPipeEnd next;
    private final RawPipeEnd previous;
    private final LinkWait patience = new LinkWait();
    private final DirectLink.Handler taker = this::onPart;
    private final DirectLink.Content content = this::fill;
    private Heading heading = new Heading(Heading.Operation.BARRIER, 0, 0, 0);
    private Flow flow = AllReduceFlow.ofBarrier(0, 1);
    private int yields;
    /** Whether the last part is still waiting to be sent. */
    private boolean waiting;

    private boolean headingSent;
    private boolean headingTaken;
    /** What the previous member has sent ahead of the operation to which it belongs. */
    private @Nullable Part early;

    private @Nullable Throwable fault;
    private @Nullable String unusable;

    Exchange(Position position, RawPipeEnd next, RawPipeEnd previous) {
        this.position = position;
        this.next = next;
        this.previous = previous;
    }

    /**
     * Runs an operation to its end.
     *
     * @throws PeerLostException FBR-461 if a neighbour has ended
     * @throws FiberException FBR-462 if the previous member calls another operation
     */
    void run(Heading begun, Flow newFlow) {
        if (unusable != null) {
            throw new IllegalStateException("An earlier operation of " + position.describe() + " failed (" + unusable
                    + "): its neighbours do not know which operation is next.");
        }
        heading = begun;
        flow = newFlow;
        headingSent = !newFlow.sends();
        headingTaken = !newFlow.receives();
        try {
            link();
            takeEarly();
            drive();
        } catch (Throwable thrown) {
            unusable = thrown.toString();
            throw thrown;
        }
    }

    /** Starts both before it waits for either, because the neighbours wait as well, and may be in another operation. */
    private void link() {
        next.join();
        previous.join();
        if (flow.sends()) {
            guard(position.next(), next::awaitLinked);
        }
        if (flow.receives()) {
            guard(position.previous(), previous::awaitLinked);
        }
    }

    private void guard(int neighbour, Runnable what) {
        try {
            what.run();
        } catch (EndOfStreamException e) {
            throw new PeerLostException(neighbour, position.describe(), e);
        }
    }

    private void drive() {
        patience.reset();
        while (true) {
            boolean moved = push();
            moved |= pull();
            if (hasSent() && hasReceived()) {
                return;
            }
            if (moved) {
                patience.reset();
                yields = 0;
            } else {
                requireNeighbours();
                if (!flow.receives()) {
                    lookBack();
                }
                waitALittle();
            }
        }
    }

    /**
     * A member that only sends would send in vain if the previous member, in another operation, does not receive
     * either.
     */
    private void lookBack() {
        if (early == null && previous.isLinked()) {
            previous.poll((kind, remaining, part) -> {
                ByteBuffer copy = ByteBuffer.allocate(part.remaining()).order(ByteOrder.LITTLE_ENDIAN);
                early = new Part(kind, remaining, copy.put(part).flip());
            });
        }
        Part arrived = early;
        if (arrived != null && arrived.kind() != PartKind.END) {
            Optional<Heading> theirs =
                    Heading.read(arrived.content().duplicate().order(ByteOrder.LITTLE_ENDIAN));
            // A member that has finished this operation may be in the next one.
            if (theirs.isEmpty() || theirs.get().sequence() <= heading.sequence()) {
                requireSame(theirs);
            }
        }
    }

    private void takeEarly() {
        Part arrived = early;
        if (arrived != null && flow.receives()) {
            early = null;
            onPart(arrived.kind(), arrived.remaining(), arrived.content());
            rethrow();
        }
    }

    @SuppressWarnings("ThreadPriorityCheck") // it would be correct without this, but slower
    private void waitALittle() {
        if (yields < YIELDS) {
            yields++;
            Thread.yield();
        } else {
            patience.idle();
        }
    }

    private boolean hasSent() {
        return !flow.sends() || (headingSent && flow.hasSent() && !waiting);
    }

    private boolean hasReceived() {
        return headingTaken && flow.hasReceived();
    }

    private boolean push() {
        if (!flow.sends()) {
            return false;
        }
        OfferResult result = next.offer();
        boolean moved = waiting && result == OfferResult.ACCEPTED;
        for (int parts = 0; parts < PARTS_AT_ONCE && result == OfferResult.ACCEPTED; parts++) {
            int length = headingSent ? flow.nextPart(Math.min(next.room(), GREATEST_PART_BYTES)) : Heading.BYTES;
            if (length == 0) {
                break;
            }
            result = next.put(headingSent ? flow.remaining() : length, length, content);
            moved = true;
        }
        waiting = result != OfferResult.ACCEPTED;
        return moved;
    }

    private void fill(ByteBuffer target) {
        if (headingSent) {
            flow.fill(target);
        } else {
            heading.putInto(target);
            headingSent = true;
        }
    }

    private boolean pull() {
        boolean moved = false;
        for (int parts = 0; parts < PARTS_AT_ONCE && !hasReceived() && previous.poll(taker); parts++) {
            moved = true;
            rethrow();
        }
        return moved;
    }

    /** Keeps exceptions until the transport has returned, because a transport handles exceptions in its own way. */
    private void onPart(PartKind kind, long remaining, ByteBuffer part) {
        try {
            if (kind == PartKind.END) {
                throw new EndOfStreamException(
                        "FBR-450", "No more messages will arrive: its function has returned or thrown an exception.");
            }
            if (headingTaken) {
                flow.take(remaining, part);
            } else {
                requireSame(Heading.read(part));
                headingTaken = true;
            }
        } catch (Throwable thrown) {
            fault = thrown;
        }
    }

    private void requireSame(Optional<Heading> theirs) {
        if (!theirs.equals(Optional.of(heading))) {
            throw new FiberException(
                    "FBR-462",
                    "The members of ring '" + position.ring() + "' run different operations: rank " + position.rank()
                            + " is in "
                            + heading.describe() + ", rank " + position.previous() + " in "
                            + theirs.map(Heading::describe).orElse("the middle of another operation")
                            + ". All members must call the same operations in the same order, with arrays of the same"
                            + " kind and length.");
        }
    }

    private void rethrow() {
        Throwable thrown = fault;
        fault = null;
        if (thrown instanceof EndOfStreamException end) {
            throw new PeerLostException(position.previous(), position.describe(), end);
        } else if (thrown instanceof RuntimeException unchecked) {
            throw unchecked;
        } else if (thrown instanceof Error error) {
            throw error;
        }
    }

    private void requireNeighbours() {
        if (Thread.interrupted()) {
            throw (flow.receives() ? previous : next).interrupted();
        }
        if (!hasSent()) {
            // The conductor may have sent the waiting part.
            push();
        }
        if (!hasSent()) {
            guard(position.next(), next::requireReceiver);
        }
        if (!hasReceived()) {
            guard(position.previous(), () -> previous.requireSender(taker));
            rethrow();
        }
    }
}
