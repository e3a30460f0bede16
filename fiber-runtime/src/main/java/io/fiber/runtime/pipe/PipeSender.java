// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pipe;

import io.fiber.runtime.channel.DirectLink;
import io.fiber.runtime.channel.LinkWait;
import io.fiber.runtime.channel.PartKind;
import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.protocol.PayloadInput;
import io.fiber.runtime.protocol.PayloadOutput;
import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.runtime.serialization.ValueName;
import io.fiber.spi.transport.OfferResult;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The sending side of one end of a pipe. A message waits in the backlog until its last part has left, and the sending
 * thread waits for that. Only before the two ends are linked, the backlog accepts about a mebibyte without waiting. The
 * conductor sends the messages that an interrupted or closing thread leaves in it.
 */
final class PipeSender {

    private static final long BACKLOG_LIMIT_BYTES = 1 << 20;
    private static final ValueName MESSAGE = new ValueName("a message", "a pipe");
    private static final String WHAT = "room in the other end";

    private final Endpoint endpoint;
    private final Pipes pipes;
    private final ReentrantLock lock = new ReentrantLock();
    private final ArrayDeque<PipeMessage> backlog = new ArrayDeque<>();
    private final LinkWait patience = new LinkWait();
    private final DirectLink.Content content = this::fill;
    private @Nullable PayloadInput rest;
    private boolean begun;
    private long backlogBytes;
    private boolean endIsQueued;
    private volatile boolean ended;

    PipeSender(Endpoint endpoint, Pipes pipes) {
        this.endpoint = endpoint;
        this.pipes = pipes;
    }

    void sendObject(@Nullable Object value) {
        PayloadOutput out = new PayloadOutput();
        pipes.codecs().values().write(value, out, MESSAGE);
        send(PartKind.OBJECT, out.toPayload());
    }

    /** Copies the bytes, because the caller may change the array while this message waits. */
    void sendBytes(byte[] bytes) {
        boolean linked = endpoint.stage() == Endpoint.Stage.LINKED;
        send(PartKind.BYTES, Payload.of(linked ? bytes : bytes.clone()));
    }

    private void send(PartKind kind, Payload payload) {
        endpoint.lock(lock, Endpoint.FOR_EVER, WHAT);
        try {
            awaitRoom(payload.length());
            requireReceiver();
            backlog.add(new PipeMessage(kind, payload));
            backlogBytes += payload.length();
            DirectLink link = endpoint.link();
            if (link != null) {
                pumpAll(link);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Limits the backlog while the ends are not linked; a single message is accepted at any length. */
    private void awaitRoom(long length) {
        while (endpoint.stage() == Endpoint.Stage.JOINING
                && backlogBytes > 0
                && backlogBytes + length > BACKLOG_LIMIT_BYTES) {
            endpoint.awaitJoined(Endpoint.FOR_EVER, WHAT);
            endpoint.requireUsable();
        }
    }

    /** Throws if nothing can be sent any more, because this end was closed or the other one is gone. */
    void requireReceiver() {
        endpoint.requireUsable();
        DirectLink link = endpoint.link();
        if (endpoint.other() != Endpoint.Other.OPEN || (link != null && link.isClosed())) {
            throw endpoint.endOfSending();
        }
    }

    private void pumpAll(DirectLink link) {
        patience.reset();
        while (!pump(link)) {
            if (Thread.interrupted()) {
                keepRest();
                pipes.flush(endpoint);
                throw endpoint.interrupted(WHAT, new InterruptedException());
            }
            if (endpoint.isClosing() || endpoint.other() != Endpoint.Other.OPEN || link.isClosed()) {
                keepRest();
                requireReceiver();
            }
            patience.idle();
        }
    }

    /**
     * Copies the rest of the last message, which belongs to this thread, so that it no longer shares an array with its
     * sender.
     */
    private void keepRest() {
        PayloadInput left = rest;
        if (left == null || backlog.size() > 1) {
            PipeMessage last = backlog.removeLast();
            backlog.add(new PipeMessage(last.kind(), copy(last.payload().open())));
        } else if (left.remaining() > 0) {
            rest = copy(left).open();
        }
    }

    private static Payload copy(PayloadInput left) {
        PayloadOutput copy = new PayloadOutput();
        byte[] block = new byte[(int) Math.min(left.remaining(), 1 << 16)];
        for (int count = left.read(block, 0, block.length); count > 0; count = left.read(block, 0, block.length)) {
            copy.write(block, 0, count);
        }
        return copy.toPayload();
    }

    /** Offers the waiting part, if there is one; the conductor may do the same. */
    OfferResult offerPart(DirectLink link) {
        lock.lock();
        try {
            return link.offer();
        } finally {
            lock.unlock();
        }
    }

    /** Puts a part that belongs to no message of the backlog; an end that puts parts has no backlog. */
    OfferResult putPart(DirectLink link, long remaining, int length, DirectLink.Content what) {
        lock.lock();
        try {
            endpoint.requireUsable();
            return link.put(PartKind.BYTES, remaining, length, what);
        } finally {
            lock.unlock();
        }
    }

    /** Puts what fits; returns whether everything has left. */
    private boolean pump(DirectLink link) {
        OfferResult result = link.offer();
        while (result == OfferResult.ACCEPTED) {
            PipeMessage entry = backlog.peek();
            if (entry == null) {
                return true;
            }
            PayloadInput current = rest;
            if (current == null) {
                current = entry.payload().open();
                rest = current;
                begun = false;
            }
            if (begun && current.remaining() == 0) {
                drop(entry);
            } else {
                begun = true;
                long remaining = current.remaining();
                result = link.put(entry.kind(), remaining, (int) Math.min(remaining, link.room()), content);
            }
        }
        return false;
    }

    private void drop(PipeMessage entry) {
        backlog.remove();
        backlogBytes -= entry.payload().length();
        rest = null;
        ended |= entry.kind() == PartKind.END;
    }

    private void fill(ByteBuffer target) {
        PayloadInput current = rest;
        if (current != null) {
            current.readInto(target);
        }
    }

    /**
     * Sends what waits and, if the end was closed, the end of the stream; does not block. The conductor calls it.
     *
     * @return whether everything has left
     */
    boolean tryPump(DirectLink link) {
        if (!lock.tryLock()) {
            return false;
        }
        try {
            if (endpoint.isClosing() && !endIsQueued) {
                endIsQueued = true;
                backlog.add(new PipeMessage(PartKind.END, Payload.empty()));
            }
            return pump(link);
        } finally {
            lock.unlock();
        }
    }

    boolean hasEnded() {
        return ended;
    }

    /** Returns what waits, for the rendezvous, if no link has accepted it; afterwards no thread here sends it. */
    SealedPayload backlogForMeeting() {
        lock.lock();
        try {
            if (endpoint.link() != null || backlog.isEmpty()) {
                return SealedPayload.none();
            }
            PayloadOutput out = new PayloadOutput();
            for (PipeMessage entry : backlog) {
                out.write(entry.kind().number());
                out.writeVarLong(entry.payload().length());
                out.append(entry.payload());
            }
            return pipes.seals().close(out.toPayload());
        } finally {
            lock.unlock();
        }
    }
}
